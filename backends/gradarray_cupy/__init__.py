"""CuPy as a backend of gradarray: the devices ``cuda:0``, ``cuda:1``, ..."""

from ._backend import CuPyBackend

__all__ = ["CuPyBackend"]
