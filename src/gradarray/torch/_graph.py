"""What `grad_fn` shows: the nodes of gradarray's record under PyTorch's names."""

from __future__ import annotations

from typing import Any

from .._graph import Leaf, Node, Slot

#: PyTorch's names where they are not the operation's own with a capital letter.
_NAMES = {
    "add": "Add",
    "astype": "ToCopy",
    "broadcast_to": "Expand",
    "clip": "Clamp",
    "concat": "Cat",
    "cumulative_prod": "Cumprod",
    "cumulative_sum": "Cumsum",
    "divide": "Div",
    "expand_dims": "Unsqueeze",
    "getitem": "Slice",
    "matmul": "Mm",
    "move": "ToCopy",
    "multiply": "Mul",
    "negative": "Neg",
    "permute_dims": "Permute",
    "reshape": "View",
    "subtract": "Sub",
    "take_along_axis": "Gather",
    "unstack": "Unbind",
    "vector_norm": "LinalgVectorNorm",
}


class Function:
    """A recorded operation.

    Attributes
    ----------
    next_functions : tuple
        For each of its inputs the operation that made it and the number of that output, or ``(None, 0)``.
    """

    __slots__ = ("_node",)

    def __init__(self, node: Node | Leaf) -> None:
        self._node = node

    def name(self) -> str:
        """Name of the operation, as PyTorch names it."""
        if isinstance(self._node, Leaf):
            return "AccumulateGrad"
        own = self._node.name
        if own == "assign":
            return "CopySlices"
        if own == "getitem":
            key = self._node.parameters["key"]
            parts = key if isinstance(key, tuple) else (key,)
            if all(isinstance(part, int) or part is Ellipsis for part in parts):
                return "SelectBackward0"
        return _NAMES.get(own, "".join(part.capitalize() for part in own.split("_"))) + "Backward0"

    @property
    def next_functions(self) -> tuple[tuple[Function | None, int], ...]:
        """The operations that made the inputs."""
        found = []
        for parent in self._node.parents or ():
            node: Any = parent.node if isinstance(parent, Slot) else parent
            found.append((None if node is None else Function(node), getattr(parent, "index", 0)))
        return tuple(found)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self._node):#x}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self._node is other._node

    def __hash__(self) -> int:
        return hash(id(self._node))
