"""Energies of DeePMD-kit's array-API models, and forces by backward, against NumPy's energies and their differences."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from deepmd.dpmodel.descriptor import DescrptDPA1, DescrptSeA
from deepmd.dpmodel.fitting import EnergyFittingNet
from deepmd.dpmodel.model.ener_model import EnergyModel
from namespace import xp


def model(kind: str) -> Any:
    """A small model of water-like atoms, the same for the same kind."""
    common = {"rcut": 4.0, "rcut_smth": 1.0, "neuron": [8, 16], "axis_neuron": 4, "seed": 1, "precision": "float64"}
    if kind == "se_e2_a":
        descriptor = DescrptSeA(sel=[8, 8], **common)
    else:
        descriptor = DescrptDPA1(sel=16, ntypes=2, attn_layer=1, attn=8, **common)
    fitting = EnergyFittingNet(
        ntypes=2,
        dim_descrpt=descriptor.get_dim_out(),
        neuron=[16, 16],
        mixed_types=descriptor.mixed_types(),
        seed=2,
        precision="float64",
    )
    return EnergyModel(descriptor, fitting, type_map=["O", "H"])


def move_weights(thing: Any, seen: set[int]) -> None:
    """Put the weights of a model, NumPy's arrays, into the namespace, as every backend of the library does."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, dict):
        parts = list(thing.items())
    elif isinstance(thing, list):
        parts = list(enumerate(thing))
    elif type(thing).__module__.startswith("deepmd") and hasattr(thing, "__dict__"):
        parts = list(vars(thing).items())
    else:
        return
    for name, part in parts:
        if not isinstance(part, np.ndarray) or part.dtype.kind not in "fib":
            move_weights(part, seen)
        elif isinstance(thing, (dict, list)):
            thing[name] = xp.asarray(part.copy())
        else:
            object.__setattr__(thing, name, xp.asarray(part.copy()))


def energy(of: Any, coordinates: Any, asarray: Callable[[Any], Any]) -> Any:
    """The energy of eight atoms in a periodic box."""
    kinds, box = np.asarray([[0, 1, 1, 0, 1, 1, 0, 1]]), (np.eye(3) * 5.6).reshape(1, 9)
    found = of.call(coordinates, asarray(kinds), box=asarray(box))
    return next(found[key] for key in ("energy", "energy_redu") if key in found)


counts, failures = {"passed": 0, "failed": 0}, []


def check(what: str, compare: Callable[[], None]) -> None:
    """Count a comparison."""
    try:
        compare()
        counts["passed"] += 1
    except Exception as error:
        counts["failed"] += 1
        failures.append({"test": what, "kind": "failed", "message": f"{type(error).__name__}: {error}"[:200]})


rng = np.random.default_rng(0)
lattice = np.stack(np.meshgrid(*[np.arange(2) * 2.6] * 3, indexing="ij"), -1).reshape(1, 8, 3)
at = (lattice + rng.normal(size=(1, 8, 3)) * 0.15).reshape(1, 24)
for kind in ("se_e2_a", "dpa1"):
    reference, ours = model(kind), model(kind)
    move_weights(ours, set())

    def plain(where: Any, reference: Any = reference) -> float:
        return float(np.sum(energy(reference, where, np.asarray)))

    def energies(ours: Any = ours, plain: Callable[[Any], float] = plain) -> None:
        found = float(xp.sum(energy(ours, xp.asarray(at), xp.asarray)))
        np.testing.assert_allclose(found, plain(at), rtol=1e-10)

    def forces(ours: Any = ours, plain: Callable[[Any], float] = plain) -> None:
        where = xp.asarray(at)
        where.requires_grad = True
        xp.sum(energy(ours, where, xp.asarray)).backward()
        steps = np.eye(24)[:, None, :] * 2e-5
        expected = [(plain(at + step) - plain(at - step)) / 4e-5 for step in steps]
        np.testing.assert_allclose(np.asarray(where.grad)[0], expected, rtol=0, atol=1e-9)

    check(f"{kind}: energy", energies)
    check(f"{kind}: forces", forces)
Path(os.environ["CLIENT_TALLY"]).write_text(json.dumps({"counts": counts, "failures": failures}))
