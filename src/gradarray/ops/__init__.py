"""The operations, one module for each chapter of the standard, each with its derivative."""
