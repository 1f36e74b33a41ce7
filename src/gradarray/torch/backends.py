"""What there is to compute on: PyTorch's module ``torch.backends``, as far as it asks that question."""

from __future__ import annotations

from . import cuda

__all__ = ["cuda", "mps"]


class mps:
    """GPUs of Apple's, which gradarray reaches through no library of its own."""

    @staticmethod
    def is_available() -> bool:
        """Whether there is one: no."""
        return False

    is_built = is_available
