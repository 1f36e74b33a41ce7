"""Backends held against the laws of their members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _backend, _errors
from .._backend import Backend, Place
from .._devices import Device

if TYPE_CHECKING:
    from ._laws.examination import Examination, Failure


@dataclass(frozen=True)
class BackendReport:
    """What `check_backend` has checked; as text, a summary.

    Attributes
    ----------
    backend : str
        The name of the backend.
    checks : dict
        For each place the number of checks of each member, and of each kernel.
    left_out : dict
        For each place what was not checked, with the reason: what the library does not have.
    """

    backend: str
    checks: dict[str, dict[str, int]]
    left_out: dict[str, tuple[str, ...]]

    @property
    def total(self) -> int:
        """The number of checks, of all members at all places."""
        return sum(sum(members.values()) for members in self.checks.values())

    def __str__(self) -> str:
        lines = [f"{self.backend}: {self.total} checks passed"]
        for place, members in self.checks.items():
            counts = ", ".join(f"{member} {count}" for member, count in _by_member(members).items())
            lines.append(f"  at {place}: {counts}")
            lines.extend(f"    left out: {what}" for what in self.left_out[place])
        return "\n".join(lines)


def _by_member(checks: dict[str, int]) -> dict[str, int]:
    """Numbers of checks, those of all kernels as one."""
    found: dict[str, int] = {}
    for member, count in checks.items():
        name = member.partition("(")[0]
        found[name] = found.get(name, 0) + count
    return found


def check_backend(backend: str | Backend, *, places: Sequence[Place] | None = None) -> BackendReport:
    """Check every law of a backend's members, and gradarray's arrays upon it, at each of its places.

    Parameters
    ----------
    backend : str or Backend
        The name of a backend that is installed or registered, or a backend that need be neither.
    places : sequence of place, optional
        Where to check; by default at each place there is, which takes long where there are many.

    Returns
    -------
    BackendReport
        How many checks each member has passed at each place, and what was left out there because the library does
        not have it: a data type, views, arrays that can be written, a copy through DLPack, another place to move to.
        Print it to see that it is what you expect.

    Raises
    ------
    AssertionError
        If any law does not hold. The message lists all that do not, each with the backend, the place, the member, the
        law, and the values that were found in the place of those expected.
    UnknownDeviceError
        If there is no backend of the given name.

    Notes
    -----
    The laws are those that the docstrings of `gradarray.backend.Backend` state. Kernels are called as gradarray calls
    them, with a few operands of each data type, shape and kind, and compared with NumPy's. What the library has is
    asked of `dtypes` and `is_writable`. It takes a second or so for each place, more where a library compiles. It does
    not replace the official test suite of the standard, which tries far more values.

    Examples
    --------
    >>> from gradarray.testing import check_backend
    >>> report = check_backend("numpy")
    >>> report.total > 1000
    True
    >>> report.left_out["cpu"][0]
    'move to another place: there is only one'
    """
    import warnings

    import numpy as np

    from ._laws import arrays, extras, interchange, kernels, memory, running
    from ._laws import places as placing
    from ._laws.examination import Examination

    if isinstance(backend, str):
        backend = _backend.load(backend)
    if not isinstance(backend, Backend):
        kind = type(backend).__qualname__
        raise _errors.ArgumentTypeError(
            f"check_backend(): {backend!r} of type {kind} is not a backend\nFix: pass its name, or an instance"
        )
    examinations = []
    # Special values make libraries warn; the law of `quiet` looks at that by itself.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for device in _devices(backend, places):
            exam = Examination(backend, device)
            examinations.append(exam)
            for group in (placing, interchange, memory, kernels, extras, running, arrays):
                for law in group.LAWS:
                    exam.attempt(law)
    failures = [failure for exam in examinations for failure in exam.failures]
    if failures:
        total = sum(exam.checks.total() for exam in examinations)
        raise AssertionError(_message(backend.name, failures, total))
    return _report(backend.name, examinations)


def _devices(backend: Backend, places: Sequence[Place] | None) -> list[Device]:
    """The devices of a backend. Where it is not registered they are such that no name finds."""
    if not hasattr(backend, "rule_namespace"):
        raise AssertionError(f"backend {backend.name!r}: constants and rule_namespace: Backend.__init__ was not called")
    problem = f"backend {backend.name!r}: devices: never empty, each a pair of a type and an index or None"
    try:
        found = [_device(backend, kind, index) for kind, index in places or backend.devices()]
    except Exception as error:
        raise AssertionError(f"{problem}\n    raised {type(error).__name__}: {error}") from error
    if not found:
        raise AssertionError(f"{problem}\n    devices() is {backend.devices()!r}")
    return found


def _device(backend: Backend, kind: str, index: int | None) -> Device:
    if _backend._backends.get(backend.name) is backend:
        return Device(backend.name, kind, index)
    return Device._unnamed(backend, kind, index)


def _message(name: str, failures: list[Failure], total: int) -> str:
    """All failures, those of one law together: at which places, what was seen first, how often."""
    laws: dict[tuple[str, str], list[Failure]] = {}
    for failure in failures:
        laws.setdefault((failure.member, failure.law), []).append(failure)
    lines = [f"backend {name!r}: {len(failures)} of {total} checks failed, of {len(laws)} laws"]
    for (member, law), found in laws.items():
        where = ", ".join(dict.fromkeys(failure.place for failure in found))
        lines += ["", f"{name} at {where}: {member}: {law}"]
        first = list(dict.fromkeys(failure.seen for failure in found))[:3]
        lines.extend(f"    {seen}" for seen in first)
        if len(found) > len(first):
            lines.append(f"    ({len(found)} such failures)")
    return "\n".join(lines)


def _report(name: str, examinations: list[Examination]) -> BackendReport:
    left_out: dict[str, tuple[str, ...]] = {}
    checks: dict[str, dict[str, int]] = {}
    members = [member for member in vars(Backend) if not member.startswith("_")]
    members += [member for member in Backend.__annotations__ if member not in members]
    for exam in examinations:
        checks[exam.name] = dict(exam.checks)
        counted = _by_member(exam.checks)
        # A member that was not checked at all is named, whatever the reason, so that none is forgotten.
        never = [f"{member}: no check" for member in members if member not in counted]
        left_out[exam.name] = (*exam.left_out, *never)
    return BackendReport(name, checks, left_out)
