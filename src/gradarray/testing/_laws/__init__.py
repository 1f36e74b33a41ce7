"""The laws of a backend's members, as `check_backend` checks them: one module for each group of members."""
