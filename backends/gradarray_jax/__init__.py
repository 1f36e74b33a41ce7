"""JAX as a backend of gradarray: devices ``jax:cpu:0``, ``jax:cuda:0``, ..."""

from ._backend import JaxBackend

__all__ = ["JaxBackend"]
