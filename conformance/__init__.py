"""Conformance with the Python array API standard: the official suite's runner, and our own always-run tests."""
