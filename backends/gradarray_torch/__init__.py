"""PyTorch as a backend of gradarray: devices ``torch:cpu``, ``torch:cuda:0``, ..."""

from ._backend import TorchBackend

__all__ = ["TorchBackend"]
