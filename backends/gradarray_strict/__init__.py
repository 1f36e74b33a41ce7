"""array-api-strict as a backend of gradarray: the devices ``strict:cpu``, ``strict:device1``, ..."""

from ._backend import StrictBackend

__all__ = ["StrictBackend"]
