"""MLX on the CPU as a backend of gradarray: the device ``mlx:cpu``."""

from ._backend import MLXBackend

__all__ = ["MLXBackend"]
