"""What is said of PyTorch's names that are not here: the function to use instead."""

from __future__ import annotations

import gradarray as ga

#: What to use for names of PyTorch's that have no namesake in gradarray.
_INSTEAD = {
    "addcdiv": "a + value * b / c",
    "addcmul": "a + value * b * c",
    "addmm": "torch.add and torch.matmul: a + b @ c",
    "addmv": "torch.add and torch.matmul: a + b @ c",
    "apply_": "gradarray.autograd.raw_function, which makes a function of the elements differentiable",
    "atleast_1d": "gradarray.reshape",
    "atleast_2d": "gradarray.reshape",
    "atleast_3d": "gradarray.reshape",
    "baddbmm": "torch.add and torch.matmul: a + b @ c",
    "bincount": "gradarray.unique_counts",
    "bucketize": "gradarray.searchsorted",
    "cdist": "gradarray.linalg.vector_norm of x[:, None] - y[None, :]",
    "compile": "the function itself: operations run when they are called, and there is nothing to compile",
    "cummax": "gradarray.maximum, for one element after the other",
    "cummin": "gradarray.minimum, for one element after the other",
    "data_ptr": "gradarray's x.array.__dlpack__()",
    "digamma": "gradarray.special.digamma",
    "dsplit": "torch.split with dim=2",
    "erf": "gradarray.special.erf",
    "erfc": "gradarray.special.erfc",
    "erfinv": "gradarray.special.erfinv",
    "expand_dims": "torch.unsqueeze, which is gradarray.expand_dims",
    "fliplr": "gradarray.flip with axis=1",
    "flipud": "gradarray.flip with axis=0",
    "float_power": "gradarray.pow of x.double()",
    "fmax": "gradarray.maximum, which gives NaN where an operand is NaN; mask with gradarray.where",
    "fmin": "gradarray.minimum, which gives NaN where an operand is NaN; mask with gradarray.where",
    "fmod": "gradarray.remainder, whose result has the sign of the divisor",
    "frac": "x - gradarray.trunc(x)",
    "gelu": "gradarray.special.ndtr(x.array) * x.array",
    "get": "item()",
    "histc": "numpy.histogram of x.detach().numpy()",
    "hsplit": "torch.split with dim=1",
    "i0": "gradarray.special.i0",
    "index_add": "gradarray's x[index] += value, for indices that do not repeat",
    "index_put": "gradarray's x[index] = value",
    "index_put_": "gradarray's x[index] = value",
    "inner": "gradarray.tensordot over the last axes, or gradarray.vecdot",
    "inverse": "gradarray.linalg.inv",
    "jit": "the function itself: operations run when they are called",
    "kron": "gradarray.multiply of x[:, None, :, None] and y[None, :, None, :], and gradarray.reshape",
    "kthvalue": "gradarray.sort and an index",
    "lgamma": "gradarray.special.gammaln",
    "load": "pickle.load, or numpy.load and torch.from_numpy",
    "logcumsumexp": "gradarray.cumulative_sum of gradarray.exp(x - max), and gradarray.log",
    "logdet": "gradarray.linalg.slogdet",
    "logit": "gradarray.special.logit",
    "map_": "gradarray.autograd.raw_function, which makes a function of the elements differentiable",
    "mode": "gradarray.unique_counts",
    "multinomial": "torch.rand, gradarray.cumulative_sum and gradarray.searchsorted",
    "mvlgamma": "gradarray.special.multigammaln",
    "nan_to_num": "gradarray.where(gradarray.isnan(x), 0, x)",
    "polygamma": "gradarray.special.polygamma",
    "put_": "gradarray's x[index] = value",
    "quantile": "numpy.quantile(x.array, q), which gradarray differentiates",
    "renorm": "gradarray.linalg.vector_norm and a division",
    "rot90": "gradarray.flip and gradarray.permute_dims",
    "save": "pickle.dump, or numpy.save of x.detach().numpy()",
    "scatter": "gradarray's x[index] = value",
    "scatter_": "gradarray's x[index] = value",
    "scatter_add": "gradarray's x[index] += value, for indices that do not repeat",
    "scatter_add_": "gradarray's x[index] += value, for indices that do not repeat",
    "sgn": "gradarray.sign, which is complex for complex numbers",
    "share_memory_": "multiprocessing.shared_memory, and torch.from_numpy of an array over it",
    "sinc": "numpy.sinc(x.array), which gradarray differentiates",
    "sparse": "dense tensors: gradarray has no sparse ones",
    "stft": "gradarray.fft.rfft of the windows",
    "storage": "x.array, whose memory numpy() shows",
    "sum_to_size": "gradarray.sum over the axes",
    "trapezoid": "numpy.trapezoid(y.array, x.array), which gradarray differentiates",
    "unflatten": "gradarray.reshape",
    "unfold": "gradarray.take with an array of indices, or x.array[...]",
    "vander": "gradarray.pow of x[:, None] and torch.arange(n)",
    "vmap": "gradarray's operations themselves: all take stacks along the leading axes",
    "xlogy": "gradarray.special.xlogy",
}


def explain(name: str, where: str = "gradarray.torch") -> str:
    """The message of the AttributeError for a name of PyTorch's."""
    lacks = f"{where} has no {name!r}"
    bare = name[:-1] if name.endswith("_") and not name.startswith("_") else name
    if name in _INSTEAD:
        return f"{lacks}; use {_INSTEAD[name]}"
    for module, prefix in ((ga, "gradarray"), (ga.linalg, "gradarray.linalg"), (ga.fft, "gradarray.fft")):
        if bare in module.__all__:
            ending = "" if bare == name else f", and write its result into the tensor: x[...] = {bare}(x)"
            return f"{lacks}; the standard's function is {prefix}.{bare}{ending}"
    if bare in _INSTEAD:
        return f"{lacks}; use {_INSTEAD[bare]}"
    return f"{lacks}, nor has gradarray a function of that name"
