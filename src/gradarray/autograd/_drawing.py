"""Pictures of graphs: as text, as DOT, and through graphviz as SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import _errors
from .._array import Array
from .._graph import Leaf, Node, Slot


class Drawing:
    """A picture of the graph of an array; its text is ``str(drawing)``.

    Attributes
    ----------
    dot : str
        The graph in the DOT language.
    """

    __slots__ = ("_text", "dot")

    def __init__(self, text: str, dot: str) -> None:
        self._text = text
        self.dot = dot

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def save(self, path: str | Path) -> None:
        """Write the picture to a file; the suffix says in which format.

        Parameters
        ----------
        path : str or pathlib.Path
            A name that ends in ``.txt`` or ``.dot``; or, with the extra ``graph`` and the program ``dot`` installed,
            in ``.svg``, ``.png``, ``.pdf``.

        Raises
        ------
        ImportError
            If the format needs graphviz, and it is not installed.
        """
        path = Path(path)
        kind = path.suffix.lstrip(".")
        if kind in ("txt", "dot"):
            path.write_text(self._text + "\n" if kind == "txt" else self.dot, encoding="utf-8")
            return
        if kind not in ("svg", "png", "pdf"):
            raise _errors.ArgumentValueError(
                f"draw(): there is no format {kind!r}\nFix: use a name that ends in .svg, .png, .pdf, .dot or .txt"
            )
        path.write_bytes(self._rendered(kind))

    def _repr_svg_(self) -> str | None:
        # Notebooks ask for it; without graphviz they show the text.
        try:
            return self._rendered("svg").decode()
        except ImportError:
            return None

    def _rendered(self, kind: str) -> bytes:
        problem = "draw(): pictures need graphviz, its Python package and its program `dot`"
        fix = "Fix: pip install 'gradarray[graph]' and install graphviz, or save as .txt or .dot"
        try:
            import graphviz
        except ImportError as error:
            raise _errors.MissingExtraError(f"{problem}\n{fix}") from error
        try:
            rendered: bytes = graphviz.Source(self.dot).pipe(format=kind)
        except graphviz.ExecutableNotFound as error:
            raise _errors.MissingExtraError(f"{problem}\n{fix}") from error
        return rendered


def draw(y: Array, /, path: str | Path | None = None) -> Drawing:
    """Picture of the graph that was recorded of an array.

    Parameters
    ----------
    y : Array
        The result of recorded operations, or a leaf.
    path : str or pathlib.Path, optional
        Where to write the picture; see `Drawing.save`.

    Returns
    -------
    Drawing
        Its text names each operation, with the shape and dtype of its result and where its inputs come from. A notebook
        shows it as a picture if graphviz is installed.

    Raises
    ------
    NotTrackedError
        If nothing was recorded.

    Examples
    --------
    >>> import gradarray as ga
    >>> x = ga.asarray([1.0, 2.0], requires_grad=True)
    >>> ga.autograd.draw(ga.sum(x * x))
    1 leaf      float64 (2,)
    2 multiply  float64 (2,)  <- 1, 1
    3 sum       float64 ()    <- 2
    """
    start = y._tracked if type(y) is Array else None
    if start is None:
        raise _errors.NotTrackedError(
            _errors.message("draw", "the array depends on nothing that requires grad", [("y", y)])
        )
    drawing = _drawn(_ordered(start))
    if path is not None:
        drawing.save(path)
    return drawing


def _own(node: Any) -> Any:
    return node.node if type(node) is Slot else node


def _ordered(start: Any) -> list[Leaf | Node]:
    """Every node that the start depends on, inputs first: leaves where they are first used."""
    nodes: list[Node] = []
    seen = {_own(start)}
    stack = [_own(start)]
    while stack:
        node = stack.pop()
        if type(node) is Node:
            nodes.append(node)
        for parent in node.parents:
            parent = _own(parent)
            if parent is not None and parent not in seen:
                seen.add(parent)
                stack.append(parent)
    nodes.sort(key=lambda node: node.sequence)
    if not nodes:
        return [start]
    ordered: dict[Leaf | Node, None] = {}
    for node in nodes:
        for parent in node.parents:
            if type(parent) is Leaf:
                ordered.setdefault(parent)
        ordered.setdefault(node)
    return list(ordered)


def _drawn(nodes: list[Leaf | Node]) -> Drawing:
    numbers = {node: number for number, node in enumerate(nodes, 1)}
    rows, lines = [], ["digraph {", "  rankdir=TB", "  node [shape=box, fontname=monospace]"]
    for node, number in numbers.items():
        if node.shape is None:
            what = f"{node.outputs} results" if type(node) is Node else ""
        else:
            what = f"{node.device.backend.dtype(node.dtype)} {tuple(node.shape)}"
        freed = type(node) is Node and node.saved is None
        inputs = [
            f"{numbers[_own(parent)]}" + (f"[{parent.index}]" if type(parent) is Slot else "")
            if parent is not None
            else "constant"
            for parent in node.parents
        ]
        rows.append(
            (f"{number} {node.name}", what, "(freed)" if freed else f"<- {', '.join(inputs)}" if inputs else "")
        )
        style = ", style=rounded" if type(node) is Leaf else ""
        lines.append(f'  {number} [label="{node.name}\\n{what}"{style}]')
        for parent in node.parents:
            if parent is not None:
                label = f' [label="{parent.index}"]' if type(parent) is Slot else ""
                lines.append(f"  {numbers[_own(parent)]} -> {number}{label}")
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    text = "\n".join(f"{name:<{widths[0]}}  {what:<{widths[1]}}  {rest}".rstrip() for name, what, rest in rows)
    return Drawing(text, "\n".join([*lines, "}", ""]))
