"""Inspection: what devices, dtypes and capabilities there are (standard: Inspection)."""

from __future__ import annotations

from typing import Any

from . import _devices, _dtypes
from ._devices import Device
from ._dtypes import DType
from ._errors import ArgumentTypeError


class _Devices(tuple[Device, ...]):
    """A tuple to which a list can be added, as SciPy does."""

    __slots__ = ()

    def __add__(self, other: Any) -> tuple[Any, ...]:
        return (*self, *other)


class NamespaceInfo:
    """Answers of the standard's inspection functions, for all devices that can be used now."""

    __slots__ = ()

    def capabilities(self) -> dict[str, Any]:
        """What arrays can do beyond what every array can.

        Returns
        -------
        dict
            ``"boolean indexing"`` and ``"data-dependent shapes"`` as bools, ``"max dimensions"`` as an int.

        Notes
        -----
        Standard: Inspection, ``capabilities``.
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Device:
        """Device on which arrays are created by default here and now.

        Returns
        -------
        Device
            The innermost ``with gradarray.device(...)``, else what `set_default_device` set, else ``cpu``.

        Notes
        -----
        Standard: Inspection, ``default_device``.
        """
        return _devices.default_device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """Default dtype of each kind on a device.

        Parameters
        ----------
        device : Device or str, optional
            The device; the default device if it is not given.

        Returns
        -------
        dict
            A dtype for each of ``"real floating"``, ``"complex floating"``, ``"integral"`` and ``"indexing"``.

        Notes
        -----
        Standard: Inspection, ``default_dtypes``.
        """
        where = _resolved(device)
        return where.backend.default_dtypes((where.type, where.index))

    def devices(self) -> tuple[Device, ...]:
        """Every device that can be used, of every backend that is loaded, ``cpu`` first.

        Returns
        -------
        tuple of Device
            The devices. Loading a backend, by naming one of its devices, makes its devices appear here.

        Notes
        -----
        Standard: Inspection, ``devices``.
        """
        return _Devices(_devices.available())

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:
        """Dtypes that arrays on a device can have, by name.

        Parameters
        ----------
        device : Device or str, optional
            The device; the default device if it is not given.
        kind : str or tuple of str, optional
            Only dtypes of these kinds, in the words of `isdtype`; all if it is not given.

        Returns
        -------
        dict
            The dtype of each name.

        Raises
        ------
        ArgumentTypeError
            If `kind` is not a kind of dtype.

        Notes
        -----
        Standard: Inspection, ``dtypes``.
        """
        where = _resolved(device)
        found = where.backend.dtypes((where.type, where.index))
        if kind is not None and not isinstance(kind, (str, tuple)):
            raise ArgumentTypeError(
                f"dtypes(): kind must be text or a tuple of texts, not {kind!r}\nFix: kind='integral'"
            )
        return {dtype.name: dtype for dtype in found if kind is None or _dtypes.isdtype(dtype, kind)}


def _resolved(device: Any) -> Device:
    return _devices.default_device() if device is None else _devices.get_device(device)


def __array_namespace_info__() -> NamespaceInfo:
    """Inspection of the namespace: devices, dtypes, capabilities.

    Returns
    -------
    NamespaceInfo
        An object with `capabilities`, `default_device`, `default_dtypes`, `devices` and `dtypes`.

    Notes
    -----
    Standard: Inspection, ``__array_namespace_info__``.
    """
    return NamespaceInfo()
