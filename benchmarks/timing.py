"""Interleaved timing, and tables of its results."""

from __future__ import annotations

import timeit
from dataclasses import dataclass, field
from typing import Any


class Case:
    """A statement to time, with the names it uses.

    Parameters
    ----------
    statement : str
        Python code; run without the frame of a function around it.
    setup : callable, optional
        Called before each timing, outside the measured time.
    **names : object
        What the names in the statement stand for.
    """

    def __init__(self, statement: str, setup: Any = None, **names: Any) -> None:
        self.timer = timeit.Timer(statement, setup=setup or "pass", globals=names)
        self.loops = 1

    def calibrate(self, seconds: float) -> None:
        """Choose a number of loops that takes about the given time."""
        self.timer.timeit(1)
        once = min(self.timer.timeit(1) for _ in range(3))
        self.loops = max(1, int(seconds / max(once, 1e-9)))

    def time(self) -> float:
        """Seconds per run of the statement."""
        return self.timer.timeit(self.loops) / self.loops


def interleaved(cases: dict[str, Case], *, repeats: int = 25, seconds: float = 0.005) -> dict[str, float]:
    """Seconds per run of each case.

    It is the minimum of repeats that are taken in turn, so that a machine whose speed drifts hurts all alike.
    """
    for case in cases.values():
        case.calibrate(seconds)
    best = dict.fromkeys(cases, float("inf"))
    for _ in range(repeats):
        for name, case in cases.items():
            best[name] = min(best[name], case.time())
    return best


@dataclass
class Table:
    """A title, a line of explanation, column heads, and rows of text."""

    title: str
    explanation: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, *cells: str) -> None:
        """Append a row."""
        self.rows.append(cells)

    def text(self) -> str:
        """The table for a terminal."""
        lines = [self.heads, *self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.heads))]
        out = [self.title, f"  ({self.explanation})"]
        for first, *rest in lines:
            cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
            out.append("  " + "   ".join([first.ljust(widths[0]), *cells]).rstrip())
        return "\n".join(out)

    def markdown(self) -> str:
        """The table for a page."""
        rule = ("---", *["---:"] * (len(self.heads) - 1))
        lines = ["| " + " | ".join(line) + " |" for line in (self.heads, rule, *self.rows)]
        return "\n".join([f"## {self.title}", "", f"{self.explanation[0].upper()}{self.explanation[1:]}.", "", *lines])


def ratios(title: str, explanation: str, best: dict[str, float], bounds: dict[str, float]) -> Table:
    """A table of times, and of gradarray's time as a multiple of each."""
    table = Table(title, explanation, ("", "time", "gradarray takes", "goal"))
    for name, seconds in best.items():
        share = "" if name == "gradarray" else f"{best['gradarray'] / seconds:.2f} of it"
        bound = f"<= {bounds[name]:g}" if name in bounds else ""
        table.add(name, duration(seconds), share, bound)
    return table


def duration(seconds: float) -> str:
    """A time with a unit that suits its size."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.2f} us"
