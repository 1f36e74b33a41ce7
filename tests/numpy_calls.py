"""Calls of NumPy's functions, each with arrays, for `test_numpy_functions`."""

import math

import numpy as np
from gradient_cases import complex_, positive, real

import gradarray as ga

V, W, U = real(5), real(4, seed=1), np.asarray([0.15, 0.4, 0.62, 0.91])
M, N = real(3, 4, seed=2), real(3, 4, seed=3)
S = real(3, 3, seed=4) + 3 * np.eye(3)
T = real(2, 3, 4, seed=5)
P = positive(3, 4, seed=6)
C, D = complex_(4, seed=7), complex_(3, 3, seed=8) + 3 * np.eye(3)
NAN = np.asarray([[1.5, math.nan, -0.5, 2.5], [math.nan, 0.3, 1.1, -1.7], [0.2, 0.4, 0.7, -0.9]])
CHOSEN = np.asarray([[True, False, True, True], [True, True, False, True], [False, True, True, False]])
SPD = S @ S.T
KNOTS = np.asarray([-1.0, 0.2, 0.9, 2.1])
AT = np.asarray([-0.7, 0.05, 0.5, 1.5, -1.6, 2.6])


def like(values, x):
    """A constant beside an array: NumPy's own, or one of ours on its device."""
    return ga.asarray(values, device=x.device) if isinstance(x, ga.Array) else np.asarray(values)


def chosen(x):
    return like(CHOSEN, x)


def written(function):
    """A function that writes into what it is given, as one that answers with a copy that was written into."""

    def copied(x, *others):
        target = x * 1.0
        function(target, *others)
        return target

    return copied


def into(function):
    """A function with ``out=``, as one that answers with what was written."""

    def answered(x, *others):
        out = np.zeros_like(function(x, *others))
        found = function(x, *others, out=out)
        assert found is out
        return out * 1.0

    return answered


#: Name, function of arrays, arrays. Every floating-point result is differentiated.
CALLS = [
    # sums and products
    ("sum", lambda x: np.sum(x), (M,)),
    ("sum axis", lambda x: np.sum(x, axis=0), (M,)),
    ("sum axes", lambda x: np.sum(x, (0, 2), keepdims=True), (T,)),
    ("sum where initial", lambda x: np.sum(x, axis=1, where=chosen(x), initial=2.0), (M,)),
    ("sum dtype", lambda x: np.sum(x, dtype=np.float64), (M,)),
    ("sum out", into(lambda x, **k: np.sum(x, axis=0, **k)), (M,)),
    ("prod", lambda x: np.prod(x, axis=1), (M,)),
    ("prod where", lambda x: np.prod(x, where=chosen(x), initial=0.5), (M,)),
    ("mean", lambda x: np.mean(x), (M,)),
    ("mean axis", lambda x: np.mean(x, axis=0, keepdims=True), (M,)),
    ("mean where", lambda x: np.mean(x, axis=1, where=chosen(x)), (M,)),
    ("mean complex", lambda x: np.mean(x), (C,)),
    ("std", lambda x: np.std(x), (M,)),
    ("std ddof", lambda x: np.std(x, axis=0, ddof=1), (M,)),
    ("std correction", lambda x: np.std(x, axis=0, correction=1), (M,)),
    ("std where", lambda x: np.std(x, axis=1, where=chosen(x)), (M,)),
    ("var", lambda x: np.var(x, axis=1, keepdims=True), (M,)),
    ("var mean", lambda x: np.var(x, axis=1, mean=np.mean(x, axis=1, keepdims=True)), (M,)),
    ("var complex", lambda x: np.var(x, ddof=1), (C,)),
    ("cumsum", lambda x: np.cumsum(x, axis=1), (M,)),
    ("cumsum flat", lambda x: np.cumsum(x), (M,)),
    ("cumprod", lambda x: np.cumprod(x, axis=0), (M,)),
    ("cumulative_sum", lambda x: np.cumulative_sum(x, axis=1, include_initial=True), (M,)),
    ("cumulative_prod", lambda x: np.cumulative_prod(x, axis=1), (M,)),
    ("max", lambda x: np.max(x, axis=0), (M,)),
    ("max initial", lambda x: np.max(x, axis=0, initial=0.5), (M,)),
    ("max where", lambda x: np.max(x, axis=1, where=chosen(x), initial=-9.0), (M,)),
    ("min", lambda x: np.min(x), (M,)),
    ("amax", lambda x: np.amax(x, 1), (M,)),
    ("amin", lambda x: np.amin(x, 1, keepdims=True), (M,)),
    ("ptp", lambda x: np.ptp(x, axis=1), (M,)),
    ("average", lambda x: np.average(x, axis=0), (M,)),
    ("average weights", lambda x, w: np.average(x, axis=1, weights=w, returned=True), (M, positive(4))),
    ("average all weights", lambda x, w: np.average(x, axis=0, weights=w, keepdims=True), (M, P)),
    ("cov", lambda x: np.cov(x), (M,)),
    ("cov two", lambda x, y: np.cov(x, y, ddof=0), (V, real(5, seed=9))),
    ("cov weights", lambda x, w: np.cov(x, aweights=w), (M, positive(4))),
    ("cov fweights", lambda x: np.cov(x, fweights=like([1, 2, 1, 3], x)), (M,)),
    ("cov columns", lambda x: np.cov(x, rowvar=False, bias=True), (M,)),
    ("corrcoef", lambda x: np.corrcoef(x), (M,)),
    # without NaN
    ("nansum", lambda x: np.nansum(x, axis=0), (NAN,)),
    ("nanprod", lambda x: np.nanprod(x, axis=1), (NAN,)),
    ("nanmean", lambda x: np.nanmean(x, axis=0), (NAN,)),
    ("nanstd", lambda x: np.nanstd(x, axis=1), (NAN,)),
    ("nanvar", lambda x: np.nanvar(x, axis=1, ddof=1), (NAN,)),
    ("nanmax", lambda x: np.nanmax(x, axis=0), (NAN,)),
    ("nanmin", lambda x: np.nanmin(x, axis=1, initial=0.0), (NAN,)),
    ("nancumsum", lambda x: np.nancumsum(x, axis=0), (NAN,)),
    ("nancumprod", lambda x: np.nancumprod(x), (NAN,)),
    ("nanmedian", lambda x: np.nanmedian(x, axis=1), (NAN,)),
    ("nanpercentile", lambda x: np.nanpercentile(x, [20, 60], axis=1), (NAN,)),
    ("nanquantile", lambda x: np.nanquantile(x, 0.3, axis=0, keepdims=True), (NAN,)),
    # order
    ("sort", lambda x: np.sort(x), (M,)),
    ("sort flat", lambda x: np.sort(x, axis=None), (M,)),
    ("sort complex", lambda x: np.sort(x), (C,)),
    ("sort_complex", lambda x: np.sort_complex(x), (V,)),
    ("median", lambda x: np.median(x, axis=0), (M,)),
    ("median all", lambda x: np.median(x, keepdims=True), (M,)),
    ("percentile", lambda x: np.percentile(x, 30), (M,)),
    ("percentile several", lambda x: np.percentile(x, [10, 50, 85], axis=1), (M,)),
    ("quantile q", lambda x, q: np.quantile(x, q, axis=1), (M, np.asarray([0.21, 0.77]))),
    ("quantile axes", lambda x: np.quantile(x, [[0.1, 0.4]], axis=(0, 2), keepdims=True), (T,)),
    *[
        (
            f"quantile {method}",
            lambda x, method=method: np.quantile(x, [0.0, 0.13, 0.5, 0.75, 1.0], method=method),
            (V,),
        )
        for method in (
            "inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull linear "
            "median_unbiased normal_unbiased lower higher midpoint nearest"
        ).split()
    ],
    ("unique", lambda x: np.unique(x, return_index=True, return_inverse=True, return_counts=True), (M,)),
    ("unique axis", lambda x: np.unique(x, axis=0), (M,)),
    ("unique_all", lambda x: np.unique_all(x), (M,)),
    ("unique_values", lambda x: np.sort(np.unique_values(x)), (M,)),
    ("union1d", lambda x, y: np.union1d(x, y), (V, W)),
    ("intersect1d", lambda x: np.intersect1d(x, x[1:4], return_indices=True), (V,)),
    ("setdiff1d", lambda x: np.setdiff1d(x, x[1:3]), (V,)),
    ("setxor1d", lambda x, y: np.setxor1d(x, np.concatenate([x[1:3], y])), (V, W)),
    # shapes
    ("reshape", lambda x: np.reshape(x, (2, -1)), (M,)),
    ("reshape F", lambda x: np.reshape(x, (2, 6), order="F"), (M,)),
    ("reshape F -1", lambda x: np.reshape(x, (-1, 2), order="F"), (T,)),
    ("ravel", lambda x: np.ravel(x), (M,)),
    ("ravel F", lambda x: np.ravel(x, order="F"), (M,)),
    ("transpose", lambda x: np.transpose(x), (M,)),
    ("transpose axes", lambda x: np.transpose(x, (1, 2, 0)), (T,)),
    ("permute_dims", lambda x: np.permute_dims(x, [1, 2, 0]), (T,)),
    ("matrix_transpose", lambda x: np.matrix_transpose(x), (T,)),
    ("swapaxes", lambda x: np.swapaxes(x, 0, -1), (T,)),
    ("moveaxis", lambda x: np.moveaxis(x, 0, -1), (T,)),
    ("rollaxis", lambda x: np.rollaxis(x, 2), (T,)),
    ("rollaxis start", lambda x: np.rollaxis(x, 0, 3), (T,)),
    ("squeeze", lambda x: np.squeeze(x[None]), (M,)),
    ("expand_dims", lambda x: np.expand_dims(x, (0, 2)), (M,)),
    ("broadcast_to", lambda x: np.broadcast_to(x, (2, 4)), (W,)),
    ("broadcast_arrays", lambda x, y: np.broadcast_arrays(x, y), (W, M)),
    ("flip", lambda x: np.flip(x), (M,)),
    ("flip axis", lambda x: np.flip(x, 1), (M,)),
    ("fliplr", lambda x: np.fliplr(x), (M,)),
    ("flipud", lambda x: np.flipud(x), (M,)),
    *[(f"rot90 {k}", lambda x, k=k: np.rot90(x, k), (M,)) for k in (-1, 0, 1, 2)],
    ("rot90 axes", lambda x: np.rot90(x, axes=(1, 2)), (T,)),
    ("roll", lambda x: np.roll(x, 2), (M,)),
    ("roll axes", lambda x: np.roll(x, (1, 2), axis=(0, 1)), (M,)),
    ("roll one shift", lambda x: np.roll(x, 1, axis=(0, 1)), (M,)),
    ("atleast_1d", lambda x: np.atleast_1d(x), (np.asarray(1.5),)),
    ("atleast_2d", lambda x, y: np.atleast_2d(x, y), (V, M)),
    ("atleast_3d", lambda x, y, z: np.atleast_3d(x, y, z), (V, M, np.asarray(0.5))),
    ("resize", lambda x: np.resize(x, (3, 5)), (W,)),
    ("copy", lambda x: np.copy(x), (M,)),
    ("astype", lambda x: np.astype(x, np.float64), (M,)),
    ("real", lambda x: np.real(x), (C,)),
    ("imag", lambda x: np.imag(x), (C,)),
    ("real of real", lambda x: np.real(x), (V,)),
    ("conj", lambda x: np.conj(x), (C,)),
    ("angle", lambda x: np.angle(x), (C,)),
    ("angle deg", lambda x: np.angle(x, deg=True), (C,)),
    ("real_if_close", lambda x: np.real_if_close(x + 0j), (V,)),
    ("full_like tracked", lambda x, v: np.full_like(x, v), (M, np.asarray(1.5))),
    # joining
    ("concatenate", lambda x, y: np.concatenate([x, y], axis=1), (M, N)),
    ("concatenate flat", lambda x, y: np.concatenate([x, y], axis=None), (M, V)),
    ("concat", lambda x, y: np.concat((x, y)), (V, W)),
    ("concatenate out", into(lambda x, y, **k: np.concatenate([x, y], **k)), (V, W)),
    ("stack", lambda x, y: np.stack([x, y], axis=-1), (M, N)),
    ("hstack", lambda x, y: np.hstack([x, y]), (V, W)),
    ("hstack matrices", lambda x, y: np.hstack([x, y]), (M, N)),
    ("vstack", lambda x, y: np.vstack([x, y]), (W, M)),
    ("dstack", lambda x, y: np.dstack([x, y]), (M, N)),
    ("dstack vectors", lambda x, y: np.dstack([x, y]), (V, V)),
    ("column_stack", lambda x, y: np.column_stack([x, y]), (real(3), M)),
    ("append", lambda x, y: np.append(x, y), (M, V)),
    ("append axis", lambda x, y: np.append(x, y, axis=0), (M, N)),
    ("block", lambda x, y: np.block([[x, np.zeros_like(x)], [np.ones_like(x), y]]), (M, N)),
    ("block mixed", lambda x, y: np.block([x, y]), (V, W)),
    ("insert", lambda x: np.insert(x, 1, 2.5), (V,)),
    ("insert row", lambda x, y: np.insert(x, 1, y, axis=0), (M, W)),
    ("insert column", lambda x, y: np.insert(x, 2, y, axis=1), (M, real(3))),
    ("insert several", lambda x, y: np.insert(x, [0, 2], y, axis=1), (M, real(2))),
    ("insert slice", lambda x, y: np.insert(x, slice(1, 3), y), (V, real(2))),
    ("delete", lambda x: np.delete(x, [0, 2], axis=1), (M,)),
    ("delete flat", lambda x: np.delete(x, 3), (M,)),
    ("delete slice", lambda x: np.delete(x, slice(0, 2), axis=1), (M,)),
    ("split", lambda x: np.split(x, 2, axis=1), (M,)),
    ("array_split", lambda x: np.array_split(x, 3), (V,)),
    ("split at", lambda x: np.split(x, [1, 3]), (V,)),
    ("hsplit", lambda x: np.hsplit(x, 2), (M,)),
    ("vsplit", lambda x: np.vsplit(x, 3), (M,)),
    ("dsplit", lambda x: np.dsplit(x, [1]), (T,)),
    ("unstack", lambda x: np.unstack(x, axis=1), (M,)),
    ("tile", lambda x: np.tile(x, (2, 1, 2)), (M,)),
    ("tile int", lambda x: np.tile(x, 3), (V,)),
    ("repeat", lambda x: np.repeat(x, 2), (M,)),
    ("repeat counts", lambda x: np.repeat(x, [1, 0, 3], axis=0), (M,)),
    ("sliding_window_view", lambda x: np.lib.stride_tricks.sliding_window_view(x, (2, 2)), (M,)),
    ("pad", lambda x: np.pad(x, 2), (M,)),
    ("pad value", lambda x: np.pad(x, ((1, 0), (0, 2)), constant_values=((1.5, 2.5), (3.5, 4.5))), (M,)),
    *[
        (f"pad {mode}", lambda x, mode=mode: np.pad(x, ((1, 2), (2, 1)), mode=mode), (M,))
        for mode in "edge reflect symmetric wrap linear_ramp mean maximum minimum median".split()
    ],
    ("pad odd reflect", lambda x: np.pad(x, (2, 3), mode="reflect", reflect_type="odd"), (W,)),
    ("pad odd symmetric", lambda x: np.pad(x, (6, 3), mode="symmetric", reflect_type="odd"), (W,)),
    ("pad stat_length", lambda x: np.pad(x, 2, mode="mean", stat_length=2), (M,)),
    ("pad end_values", lambda x: np.pad(x, (3, 1), mode="linear_ramp", end_values=(2.0, -1.0)), (W,)),
    ("pad far", lambda x: np.pad(x, (9, 7), mode="reflect"), (W,)),
    ("trim_zeros", lambda x: np.trim_zeros(np.pad(x, (2, 3))), (V,)),
    # elements
    ("where", lambda x, y: np.where(x > 0, x, y), (M, N)),
    ("where scalar", lambda x: np.where(x > 0, x, 0), (M,)),
    ("select", lambda x: np.select([x > 1, x < 0], [x**2, -x], default=7.0), (M,)),
    ("piecewise", lambda x: np.piecewise(x, [x < 0, x > 1], [lambda t: -t, lambda t: t**2, 0.5]), (M,)),
    ("piecewise two", lambda x: np.piecewise(x, [x < 0], [lambda t: -t]), (V,)),
    ("piecewise arguments", lambda x: np.piecewise(x, x < 0, [lambda t, k: k * t, lambda t, k: t], 3.0), (V,)),
    ("choose", lambda x, y: np.choose(like([0, 1, 1, 0], x), [x, y]), (W, real(4, seed=12))),
    ("choose mode", lambda x, y: np.choose(like([0, 3, -1, 5], x), (x, y), mode="wrap"), (W, real(4, seed=12))),
    ("take", lambda x: np.take(x, [0, 5, 5, -1]), (M,)),
    ("take axis", lambda x: np.take(x, like([[0, 1], [3, 3]], x), axis=1), (M,)),
    ("take scalar", lambda x: np.take(x, 2, axis=1), (M,)),
    ("take clip", lambda x: np.take(x, [-4, 9], mode="clip"), (V,)),
    ("take wrap", lambda x: np.take(x, [-7, 9], mode="wrap"), (V,)),
    ("take_along_axis", lambda x: np.take_along_axis(x, np.argsort(x, axis=1), axis=1), (M,)),
    ("compress", lambda x: np.compress([True, False, True], x, axis=0), (M,)),
    ("extract", lambda x: np.extract(x > 0, x), (M,)),
    ("diag", lambda x: np.diag(x, 1), (V,)),
    ("diag of matrix", lambda x: np.diag(x, -1), (M,)),
    ("diagflat", lambda x: np.diagflat(x), (real(2, 2),)),
    ("tril", lambda x: np.tril(x, -1), (M,)),
    ("triu", lambda x: np.triu(x, 1), (T,)),
    ("tril vector", lambda x: np.tril(x), (W,)),
    ("clip", lambda x: np.clip(x, -0.5, 0.8), (M,)),
    ("clip names", lambda x: np.clip(x, min=-0.5), (M,)),
    ("clip arrays", lambda x, low: np.clip(x, low, None), (M, W)),
    ("nan_to_num", lambda x: np.nan_to_num(x, nan=2.0), (NAN,)),
    ("apply_along_axis", lambda x: np.apply_along_axis(lambda row: row / np.sum(row), 0, x), (P,)),
    ("apply_along_axis scalar", lambda x: np.apply_along_axis(np.sum, 1, x), (T,)),
    ("apply_over_axes", lambda x: np.apply_over_axes(np.sum, x, [0, 2]), (T,)),
    ("meshgrid", lambda x, y: np.meshgrid(x, y), (V, W)),
    ("meshgrid ij", lambda x, y: np.meshgrid(x, y, indexing="ij", sparse=True), (V, W)),
    # written in place
    ("copyto", written(lambda t, y: np.copyto(t, y)), (M, W)),
    ("copyto where", written(lambda t, y: np.copyto(t, y, where=chosen(t))), (M, N)),
    ("fill_diagonal", written(lambda t: np.fill_diagonal(t, 2.5)), (M,)),
    ("fill_diagonal values", written(lambda t, y: np.fill_diagonal(t, y)), (S, real(2))),
    ("put", written(lambda t, y: np.put(t, [0, -2, 5], y)), (M, real(2))),
    ("putmask", written(lambda t, y: np.putmask(t, chosen(t), y)), (M, W)),
    ("place", written(lambda t, y: np.place(t, chosen(t), y)), (M, real(3))),
    (
        "put_along_axis",
        written(lambda t, y: np.put_along_axis(t, like([[1], [0], [3]], t), y, axis=1)),
        (M, real(3, 1)),
    ),
    # products
    ("dot", lambda x, y: np.dot(x, y), (V, real(5, seed=11))),
    ("dot matrices", lambda x, y: np.dot(x, y), (M, real(4, 2))),
    ("dot stacks", lambda x, y: np.dot(x, y), (T, real(2, 4, 3))),
    ("dot number", lambda x: np.dot(x, 3.0), (V,)),
    ("dot out", into(lambda x, y, **k: np.dot(x, y, **k)), (M, real(4, 2))),
    ("inner", lambda x, y: np.inner(x, y), (M, real(2, 4))),
    ("outer", lambda x, y: np.outer(x, y), (M, V)),
    ("vdot", lambda x, y: np.vdot(x, y), (C, complex_(4, seed=20))),
    ("kron", lambda x, y: np.kron(x, y), (M, real(2, 2))),
    ("kron unequal", lambda x, y: np.kron(x, y), (V, M)),
    ("tensordot", lambda x, y: np.tensordot(x, y, axes=([1, 0], [0, 1])), (M, real(4, 3, 2))),
    ("tensordot named", lambda x, y: np.tensordot(a=x, b=y, axes=1), (M, real(4, 2))),
    ("matmul", lambda x, y: np.matmul(x, y), (T, real(4, 2))),
    ("matmul axes", lambda x, y: np.matmul(x, y, axes=[(-2, -1), (-1, -2), (-2, -1)]), (M, real(2, 4))),
    ("vecdot", lambda x, y: np.vecdot(x, y), (M, N)),
    ("vecdot axis", lambda x, y: np.vecdot(x, y, axis=0), (M, N)),
    ("trace", lambda x: np.trace(x, offset=1), (S,)),
    ("trace axes", lambda x: np.trace(x, axis1=1, axis2=2), (T,)),
    ("diagonal", lambda x: np.diagonal(x, 1, 0, 2), (T,)),
    ("cross", lambda x, y: np.cross(x, y), (real(4, 3), real(4, 3, seed=1))),
    ("cross axis", lambda x, y: np.cross(x, y, axis=0), (real(3, 4), real(3, 4, seed=1))),
    # einsum
    ("einsum matmul", lambda x, y: np.einsum("ij,jk->ik", x, y), (M, real(4, 2))),
    ("einsum chain", lambda x, y, z: np.einsum("ij,jk,kl", x, y, z, optimize=True), (M, real(4, 2), real(2, 3))),
    ("einsum trace", lambda x: np.einsum("ii", x), (S,)),
    ("einsum diagonal", lambda x: np.einsum("ii->i", x), (S,)),
    ("einsum transpose", lambda x: np.einsum("ijk->kij", x), (T,)),
    ("einsum implicit", lambda x: np.einsum("ba", x), (M,)),
    ("einsum sum", lambda x: np.einsum("ij->", x), (M,)),
    ("einsum batch", lambda x, y: np.einsum("bij,bjk->bik", x, y), (T, real(2, 4, 2))),
    ("einsum ellipsis", lambda x, y: np.einsum("...ij,jk->...ik", x, y), (T, real(4, 2))),
    ("einsum ellipsis both", lambda x, y: np.einsum("...i,...i", x, y), (T, M)),
    ("einsum outer", lambda x, y: np.einsum("i,j->ji", x, y), (V, W)),
    ("einsum hadamard", lambda x, y: np.einsum("ij,ij->ij", x, y), (M, N)),
    ("einsum lists", lambda x, y: np.einsum(x, [0, 1], y, [1, 2], [0, 2]), (M, real(4, 2))),
    ("einsum lists implicit", lambda x, y: np.einsum(x, [0, 1], y, [1, 2]), (M, real(4, 2))),
    ("einsum stretched", lambda x, y: np.einsum("ij,ij->i", x, y), (M, real(3, 1))),
    ("einsum bilinear", lambda x, a, y: np.einsum("bi,oij,bj->bo", x, a, y), (real(2, 3), T, real(2, 4))),
    ("einsum idle", lambda x, y: np.einsum("ij,k->i", x, y), (M, V)),
    ("einsum repeated", lambda x, y: np.einsum("iij,j->i", x, y), (real(3, 3, 2), real(2))),
    ("einsum complex", lambda x, y: np.einsum("ij,j", x, y), (D, complex_(3))),
    ("einsum out", into(lambda x, y, **k: np.einsum("ij,jk", x, y, **k)), (M, real(4, 2))),
    # linalg
    ("norm", lambda x: np.linalg.norm(x), (M,)),
    ("norm of stack", lambda x: np.linalg.norm(x), (T,)),
    *[(f"norm vector {p}", lambda x, p=p: np.linalg.norm(x, p), (V,)) for p in (1, 2, 3, -1, 0.5, math.inf, -math.inf)],
    *[
        (f"norm matrix {p}", lambda x, p=p: np.linalg.norm(x, p), (M,))
        for p in (None, "fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)
    ],
    ("norm axis", lambda x: np.linalg.norm(x, axis=1, keepdims=True), (M,)),
    ("norm axes", lambda x: np.linalg.norm(x, "nuc", axis=(2, 0)), (T,)),
    ("norm keepdims", lambda x: np.linalg.norm(x, axis=(0, 1), keepdims=True), (T,)),
    ("vector_norm", lambda x: np.linalg.vector_norm(x, axis=0, ord=3), (M,)),
    ("matrix_norm", lambda x: np.linalg.matrix_norm(x), (T,)),
    ("cond", lambda x: np.linalg.cond(x), (S,)),
    ("cond 1", lambda x: np.linalg.cond(x, 1), (S,)),
    ("inv", lambda x: np.linalg.inv(x), (S,)),
    ("det", lambda x: np.linalg.det(x), (S,)),
    ("slogdet", lambda x: np.linalg.slogdet(x).logabsdet, (S,)),
    ("solve", lambda x, b: np.linalg.solve(x, b), (S, real(3))),
    ("solve matrix", lambda x, b: np.linalg.solve(x, b), (S, real(3, 2))),
    ("pinv", lambda x: np.linalg.pinv(x), (M,)),
    ("pinv rcond", lambda x: np.linalg.pinv(x, rcond=1e-3), (M,)),
    ("lstsq", lambda x, b: np.linalg.lstsq(x, b)[0], (M.T, real(4))),
    ("lstsq residuals", lambda x, b: np.linalg.lstsq(x, b, rcond=None)[1], (M.T, real(4, 2))),
    ("lstsq values", lambda x, b: np.linalg.lstsq(x, b)[3], (M.T, real(4))),
    ("lstsq wide", lambda x, b: np.linalg.lstsq(x, b)[0], (M, real(3))),
    ("eigvalsh", lambda x: np.linalg.eigvalsh((x + x.T) / 2), (S,)),
    ("eigh", lambda x: np.abs(np.linalg.eigh((x + x.T) / 2).eigenvectors), (S,)),
    ("eigh U", lambda x: np.linalg.eigh((x + x.T) / 2, UPLO="U")[0], (S,)),
    ("eigvals", lambda x: np.sort(np.linalg.eigvals(x @ x.T)), (S,)),
    ("svd", lambda x: np.linalg.svd(x, compute_uv=False), (M,)),
    ("svd vectors", lambda x: np.abs(np.linalg.svd(x, full_matrices=False)[2]), (M,)),
    ("svdvals", lambda x: np.linalg.svdvals(x), (M,)),
    ("cholesky", lambda x: np.linalg.cholesky(x @ x.T), (S,)),
    ("cholesky upper", lambda x: np.linalg.cholesky(x @ x.T, upper=True), (S,)),
    ("qr", lambda x: np.abs(np.linalg.qr(x)[1]), (M.T,)),
    ("qr r", lambda x: np.abs(np.linalg.qr(x, mode="r")), (M.T,)),
    ("matrix_power", lambda x: np.linalg.matrix_power(x, 3), (S,)),
    ("matrix_power negative", lambda x: np.linalg.matrix_power(x, -2), (S,)),
    ("multi_dot", lambda x, y, z: np.linalg.multi_dot([x, y, z]), (M, real(4, 2), real(2, 5))),
    ("multi_dot vectors", lambda x, y, z: np.linalg.multi_dot([x, y, z]), (real(3), M, W)),
    ("tensorsolve", lambda x, b: np.linalg.tensorsolve(x, b), (real(2, 3, 6), real(2, 3))),
    ("tensorinv", lambda x: np.linalg.tensorinv(x, ind=1), (real(4, 2, 2),)),
    # fft
    ("fft", lambda x: np.fft.fft(x), (C,)),
    ("fft real", lambda x: np.fft.fft(x, n=6, norm="ortho"), (V,)),
    ("ifft", lambda x: np.fft.ifft(x, axis=0), (D,)),
    ("rfft", lambda x: np.fft.rfft(x), (V,)),
    ("irfft", lambda x: np.fft.irfft(x, n=5), (C,)),
    ("hfft", lambda x: np.fft.hfft(x), (C,)),
    ("ihfft", lambda x: np.fft.ihfft(x), (V,)),
    ("fft2", lambda x: np.fft.fft2(x, norm="forward"), (M,)),
    ("ifft2", lambda x: np.fft.ifft2(x), (D,)),
    ("fftn", lambda x: np.fft.fftn(x, s=(2, -1), axes=(0, 2)), (T,)),
    ("rfft2", lambda x: np.fft.rfft2(x), (M,)),
    ("irfft2", lambda x: np.fft.irfft2(x, s=(3, 4)), (D,)),
    ("rfftn", lambda x: np.fft.rfftn(x), (T,)),
    ("irfftn", lambda x: np.fft.irfftn(np.fft.rfftn(x), s=(3, 4), axes=(0, 1)), (M,)),
    ("fftshift", lambda x: np.fft.fftshift(x, axes=1), (M,)),
    ("ifftshift", lambda x: np.fft.ifftshift(x), (V,)),
    # calculus
    ("diff", lambda x: np.diff(x), (M,)),
    ("diff n", lambda x: np.diff(x, n=2, axis=0, prepend=1.0, append=x[:1]), (M,)),
    ("ediff1d", lambda x: np.ediff1d(x, to_begin=-9.0, to_end=[1.0, 2.0]), (V,)),
    ("gradient", lambda x: np.gradient(x), (M,)),
    ("gradient axis", lambda x: np.gradient(x, 0.5, axis=1), (M,)),
    ("gradient spacings", lambda x: np.gradient(x, 0.5, 2.0, edge_order=2), (M,)),
    ("gradient points", lambda y, x: np.gradient(y, x, edge_order=2), (W, KNOTS)),
    ("gradient points 1", lambda y, x: np.gradient(y, x), (W, KNOTS)),
    ("trapezoid", lambda y: np.trapezoid(y, dx=0.5, axis=0), (M,)),
    ("trapezoid x", lambda y, x: np.trapezoid(y, x), (M, KNOTS)),
    ("unwrap", lambda x: np.unwrap(x * 5), (V,)),
    ("unwrap period", lambda x: np.unwrap(x, axis=0, period=1.5), (M,)),
    ("interp", lambda x, xp, fp: np.interp(x, xp, fp), (AT, KNOTS, W)),
    ("interp ends", lambda x, xp, fp: np.interp(x, xp, fp, left=-5.0, right=7.0), (AT, KNOTS, W)),
    ("interp period", lambda x, fp: np.interp(x, like(KNOTS, fp), fp, period=1.37), (AT, W)),
    *[
        (f"{name} {mode} {n} {m}", lambda x, y, f=f, mode=mode: f(x, y, mode), (real(n), real(m, seed=1)))
        for name, f in (("convolve", np.convolve), ("correlate", np.correlate))
        for mode in ("full", "same", "valid")
        for n, m in ((5, 2), (2, 5), (4, 3), (3, 4))
    ],
    ("correlate complex", lambda x, y: np.correlate(x, y, "same"), (C, complex_(3))),
    ("linspace", lambda x, y: np.linspace(x, y, 4), (V, V + 1)),
    ("linspace step", lambda x, y: np.linspace(x, y, 4, endpoint=False, retstep=True, axis=-1), (V, V + 1)),
    ("logspace", lambda x, y: np.logspace(x, y, 3), (U, U + 1)),
    ("geomspace", lambda x, y: np.geomspace(x, y, 4), (U, U + 1)),
    # polynomials
    ("polyval", lambda p, x: np.polyval(p, x), (W, V)),
    ("polyadd", lambda p, q: np.polyadd(p, q), (V, W)),
    ("polysub", lambda p, q: np.polysub(p, q), (W, V)),
    ("polymul", lambda p, q: np.polymul(p, q), (V, W)),
    ("polyder", lambda p: np.polyder(p, 2), (V,)),
    ("polyint", lambda p: np.polyint(p, 2, k=[1.0, 2.0]), (V,)),
    ("poly", lambda z: np.poly(z), (V,)),
    ("roots", lambda z: np.sort(np.roots(np.poly(z))), (KNOTS,)),
    ("polyfit", lambda x, y: np.polyfit(x, y, 2), (V, real(5, seed=3))),
    ("polyfit w", lambda x, y, w: np.polyfit(x, y, 1, w=w), (V, real(5, seed=3), positive(5))),
    ("vander", lambda x: np.vander(x), (W,)),
    ("vander increasing", lambda x: np.vander(x, 3, increasing=True), (W,)),
    # special functions and others
    ("sinc", lambda x: np.sinc(x), (V,)),
    ("i0", lambda x: np.i0(x), (V,)),
    ("emath sqrt", lambda x: np.emath.sqrt(x), (V,)),
    ("emath log", lambda x: np.emath.log(x), (P,)),
    ("emath power", lambda x: np.emath.power(x, 1.5), (V,)),
    ("emath logn", lambda x: np.emath.logn(2, x), (V,)),
    ("bincount", lambda w: np.bincount(like([0, 2, 2, 5], w), w, minlength=7), (W,)),
    ("histogram weights", lambda w: np.histogram(like(W, w), bins=3, weights=w)[0], (real(4, seed=30),)),
    ("histogram edges", lambda x: np.histogram(x, bins=4), (V,)),
    ("histogram density", lambda x: np.histogram(x, bins=3, density=True), (V,)),
    ("histogram_bin_edges", lambda x: np.histogram_bin_edges(x, bins="sturges"), (V,)),
]
#: Ufuncs: name, arrays.
UFUNCS = [
    *[
        (name, (V,))
        for name in (
            "absolute abs arctan arcsinh cbrt conjugate conj cos cosh deg2rad degrees exp exp2 expm1 fabs negative "
            "positive rad2deg radians sin sinh square tanh tan"
        ).split()
    ],
    *[(name, (U,)) for name in "arccos arcsin arctanh log log10 log1p log2 reciprocal sqrt".split()],
    *[(name, (C,)) for name in "exp sin conj absolute square".split()],
    ("arccosh", (U + 1.5,)),
    *[
        (name, (M, N))
        for name in (
            "add arctan2 copysign divide fmax fmin fmod heaviside hypot logaddexp logaddexp2 maximum minimum mod "
            "multiply remainder subtract true_divide"
        ).split()
    ],
    *[(name, (P, N)) for name in ("power", "pow", "float_power")],
    ("divmod", (M, P)),
    ("modf", (M,)),
    ("frexp", (M,)),
    ("matmul", (M, real(4, 2))),
    ("matvec", (M, W)),
    ("vecmat", (real(3), M)),
]
METHODS = [
    ("add.reduce", lambda x: np.add.reduce(x), (M,)),
    ("add.reduce axes", lambda x: np.add.reduce(x, axis=(0, 1), keepdims=True, initial=1.0), (M,)),
    ("multiply.reduce", lambda x: np.multiply.reduce(x, axis=1), (M,)),
    ("maximum.reduce", lambda x: np.maximum.reduce(x, axis=None), (M,)),
    ("minimum.reduce where", lambda x: np.minimum.reduce(x, 1, where=chosen(x), initial=9.0), (M,)),
    ("logaddexp.reduce", lambda x: np.logaddexp.reduce(x, axis=1), (M,)),
    ("hypot.reduce", lambda x: np.hypot.reduce(x, axis=(0, 1)), (M,)),
    ("subtract.reduce", lambda x: np.subtract.reduce(x), (M,)),
    ("divide.reduce", lambda x: np.divide.reduce(x, axis=1, keepdims=True), (P,)),
    ("add.accumulate", lambda x: np.add.accumulate(x, axis=1), (M,)),
    ("multiply.accumulate", lambda x: np.multiply.accumulate(x), (M,)),
    ("maximum.accumulate", lambda x: np.maximum.accumulate(x, axis=1), (M,)),
    ("subtract.accumulate", lambda x: np.subtract.accumulate(x), (M,)),
    ("add.outer", lambda x, y: np.add.outer(x, y), (M, V)),
    ("power.outer", lambda x, y: np.power.outer(x, y), (U, V)),
    ("add.reduceat", lambda x: np.add.reduceat(x, [0, 3, 1], axis=1), (M,)),
    ("maximum.reduceat", lambda x: np.maximum.reduceat(x, [0, 2]), (V,)),
    ("add.at", written(lambda t, y: np.add.at(t, [0, 2, 2, 1], y)), (V, W)),
    ("subtract.at", written(lambda t, y: np.subtract.at(t, ([0, 0], [1, 1]), y)), (M, real(2))),
    ("multiply.at", written(lambda t, y: np.multiply.at(t, [0, 2, 2, 1], y)), (V, W)),
    ("negative.at", written(lambda t: np.negative.at(t, [0, 1, 1])), (V,)),
    ("sin out", into(lambda x, **k: np.sin(x, **k)), (M,)),
    ("add out", into(lambda x, y, **k: np.add(x, y, **k)), (M, N)),
    ("sin where", lambda x: np.sin(x, where=x > 0, out=np.zeros_like(x)), (M,)),
    ("log where", lambda x: np.log(x, where=x > 0, out=np.ones_like(x)), (M,)),
    ("multiply dtype", lambda x: np.multiply(x, 2, dtype=np.float64), (M,)),
]
#: Functions whose results have the derivative zero: they answer tracked arrays with constants.
CONSTANTS = [
    ("all", lambda x: np.all(x > -5, axis=0), (M,)),
    ("any", lambda x: np.any(x > 1, axis=1, where=chosen(x)), (M,)),
    ("argmax", lambda x: np.argmax(x, axis=1), (M,)),
    ("argmin", lambda x: np.argmin(x, keepdims=True), (M,)),
    ("nanargmax", lambda x: np.nanargmax(x, axis=1), (NAN,)),
    ("argsort", lambda x: np.argsort(x, axis=0), (M,)),
    ("argsort flat", lambda x: np.argsort(x, axis=None), (M,)),
    ("lexsort", lambda x, y: np.lexsort((x, y)), (M, N)),
    ("searchsorted", lambda x, v: np.searchsorted(np.sort(x), v, side="right"), (V, M)),
    ("digitize", lambda x: np.digitize(x, [-1.0, 0.0, 1.0]), (M,)),
    ("count_nonzero", lambda x: np.count_nonzero(x > 0, axis=1), (M,)),
    ("nonzero", lambda x: np.nonzero(x > 0), (M,)),
    ("where", lambda x: np.where(x > 0), (M,)),
    ("argwhere", lambda x: np.argwhere(x > 0), (M,)),
    ("flatnonzero", lambda x: np.flatnonzero(x > 0), (M,)),
    ("isclose", lambda x, y: np.isclose(x, y, atol=0.5), (M, N)),
    ("allclose", lambda x: np.allclose(x, x), (M,)),
    ("array_equal", lambda x, y: np.array_equal(x, y), (M, N)),
    ("array_equiv", lambda x: np.array_equiv(x, x), (M,)),
    ("isin", lambda x: np.isin(x, x[0]), (M,)),
    ("iscomplex", lambda x: np.iscomplex(x), (C,)),
    ("isreal", lambda x: np.isreal(x), (M,)),
    ("iscomplexobj", lambda x: np.iscomplexobj(x), (M,)),
    ("isneginf", lambda x: np.isneginf(x), (M,)),
    ("round", lambda x: np.round(x, 1), (M,)),
    ("around", lambda x: np.around(x), (M,)),
    ("around negative", lambda x: np.around(x * 100, -1), (M,)),
    ("fix", lambda x: np.fix(x), (M,)),
    ("matrix_rank", lambda x: np.linalg.matrix_rank(x), (M,)),
    ("histogram", lambda x: np.histogram(x, bins=[-2.0, 0.0, 1.0, 3.0])[0], (M,)),
    ("zeros_like", lambda x: np.zeros_like(x, shape=(2, 2)), (M,)),
    ("ones_like", lambda x: np.ones_like(x, dtype=np.int64), (M,)),
    ("full_like", lambda x: np.full_like(x, 3), (M,)),
    ("shape", lambda x: np.shape(x), (M,)),
    ("ndim", lambda x: np.ndim(x), (M,)),
    ("size", lambda x: np.size(x, 1), (M,)),
    ("array2string", lambda x: np.array2string(x, precision=3), (M,)),
    ("result_type", lambda x: np.result_type(x, np.float32), (M,)),
    ("floor", lambda x: np.floor(x), (M,)),
    ("rint", lambda x: np.rint(x), (M,)),
    ("sign", lambda x: np.sign(x), (M,)),
    ("signbit", lambda x: np.signbit(x), (M,)),
    ("isfinite", lambda x: np.isfinite(x), (NAN,)),
    ("spacing", lambda x: np.spacing(x), (M,)),
    ("greater", lambda x, y: np.greater(x, y), (M, N)),
    ("logical_and", lambda x, y: np.logical_and(x > 0, y > 0), (M, N)),
    ("floor_divide", lambda x, y: np.floor_divide(x, y), (M, N)),
    ("logical_or.reduce", lambda x: np.logical_or.reduce(x > 1, axis=1), (M,)),
    ("einsum_path", lambda x: np.einsum_path("ij,kj->ik", x, x)[0], (M,)),
]
