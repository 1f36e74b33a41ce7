"""NumPy as a backend of gradarray: the device ``cpu``."""

from ._backend import NumPyBackend

__all__ = ["NumPyBackend"]
