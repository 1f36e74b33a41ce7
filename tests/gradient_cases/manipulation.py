"""Manipulation functions."""

import numpy as np

from gradient_cases import Case, complex_, real

CASES = [
    Case("broadcast_arrays", lambda xp, x, y: xp.multiply(*xp.broadcast_arrays(x, y)), (real(3, 1), real(4, seed=1))),
    Case("broadcast_arrays", lambda xp, x, y: xp.broadcast_arrays(x, y)[1], (real(2, 3), real())),
    Case("broadcast_to", lambda xp, x: xp.broadcast_to(x, (2, 3, 4)), (real(3, 1),)),
    Case("broadcast_to", lambda xp, x: xp.broadcast_to(x, (2, 3)) ** 2, (complex_(),)),
    Case("broadcast_to", lambda xp, x: xp.broadcast_to(x, (0, 3)), (real(1, 3),)),
    Case("concat", lambda xp, x, y: xp.concat([x, y, x]) ** 2, (real(2, 3), real(1, 3, seed=1))),
    Case("concat", lambda xp, x, y: xp.concat((x, y), axis=-1), (real(2, 3), complex_(2, 2, seed=1))),
    Case("concat", lambda xp, x, y: xp.concat([x, y], axis=None), (real(2, 2), real())),
    Case("concat", lambda xp, x, y: xp.concat([x, y], axis=1), (real(2, 0), real(2, 3, seed=1))),
    Case("expand_dims", lambda xp, x: xp.expand_dims(x, 1) ** 2, (real(2, 3),)),
    Case("expand_dims", lambda xp, x: xp.expand_dims(x, (0, -1)), (complex_(2, 3),)),
    Case("expand_dims", lambda xp, x: xp.expand_dims(x, -1), (real(),)),
    Case("flip", lambda xp, x: xp.flip(x) * x, (real(2, 3),)),
    Case("flip", lambda xp, x: xp.flip(x, axis=-1), (complex_(2, 3),)),
    Case("flip", lambda xp, x: xp.flip(x, axis=(0, 2)), (real(2, 3, 2),)),
    Case("flip", lambda xp, x: xp.flip(x) ** 2, (real(),)),
    Case("moveaxis", lambda xp, x: xp.moveaxis(x, 0, -1) ** 2, (real(2, 3, 4),)),
    Case("moveaxis", lambda xp, x: xp.moveaxis(x, (0, 1), (-1, 0)), (complex_(2, 3, 2),)),
    Case("permute_dims", lambda xp, x: xp.permute_dims(x, (2, 0, 1)) ** 2, (real(2, 3, 4),)),
    Case("permute_dims", lambda xp, x: xp.permute_dims(x, (-1, 0)), (complex_(2, 3),)),
    Case("repeat", lambda xp, x: xp.repeat(x, 3, axis=-1) ** 2, (real(2, 3),)),
    Case("repeat", lambda xp, x: xp.repeat(x, 2), (complex_(2, 2),)),
    Case("repeat", lambda xp, x: xp.repeat(x, 0, axis=0), (real(2, 3),)),
    Case("repeat", lambda xp, x: xp.repeat(x, _like(xp, [2, 0, 1], x), axis=1) ** 2, (real(2, 3),)),
    Case("repeat", lambda xp, x: xp.repeat(x, _like(xp, [2], x)), (complex_(2, 2),)),
    Case("reshape", lambda xp, x: xp.reshape(x, (3, -1)) ** 2, (real(2, 3),)),
    Case("reshape", lambda xp, x: xp.reshape(x, (), copy=True), (complex_(1, 1),)),
    Case("reshape", lambda xp, x: xp.reshape(xp.permute_dims(x, (1, 0)), (6,)), (real(2, 3),)),
    Case("roll", lambda xp, x: xp.roll(x, 2) * x, (real(2, 3),)),
    Case("roll", lambda xp, x: xp.roll(x, -1, axis=1), (complex_(2, 3),)),
    Case("roll", lambda xp, x: xp.roll(x, (1, -5), axis=(0, -1)), (real(2, 3),)),
    Case("roll", lambda xp, x: xp.roll(x, 1, axis=(0, 1)), (real(2, 3),)),
    Case("squeeze", lambda xp, x: xp.squeeze(x, 1) ** 2, (real(2, 1, 3),)),
    Case("squeeze", lambda xp, x: xp.squeeze(x, (0, -1)), (complex_(1, 2, 1),)),
    Case("stack", lambda xp, x, y: xp.stack([x, y, x]) ** 2, (real(2, 3), real(2, 3, seed=1))),
    Case("stack", lambda xp, x, y: xp.stack([x, y], axis=-1), (real(3), complex_(3, seed=1))),
    Case("stack", lambda xp, x, y: xp.stack([x, y]) ** 2, (real(), real(seed=1))),
    Case("tile", lambda xp, x: xp.tile(x, (2, 3)) ** 2, (real(2, 3),)),
    Case("tile", lambda xp, x: xp.tile(x, (2,)), (complex_(2, 3),)),
    Case("tile", lambda xp, x: xp.tile(x, (2, 1, 3)), (real(2),)),
    Case("tile", lambda xp, x: xp.tile(x, (0, 2)), (real(3),)),
    Case("tile", lambda xp, x: xp.tile(x, ()) ** 2, (real(),)),
    Case("unstack", lambda xp, x: xp.unstack(x, axis=-1)[1] * xp.unstack(x, axis=1)[0], (real(2, 3),)),
    Case("unstack", lambda xp, x: xp.unstack(x)[2] ** 2, (complex_(3),)),
]


def _like(xp, values, x):
    return xp.asarray(np.asarray(values), device=x.device)
