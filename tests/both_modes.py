"""What backward found, compared with what forward mode finds at the same place."""

import numpy as np

import gradarray as ga


def check_forward(f, leaves, gradients):
    """Assert that the derivative along each single element, pushed forward, is that element of the gradient.

    `f` may give an array of any shape: its derivative is that of the sum of its real parts.
    """

    def total(*arrays):
        y = f(*arrays)
        return ga.sum(ga.real(y) if y.dtype.kind == "c" else y)

    arrays = [x.detach() for x in leaves]
    for number, (x, gradient) in enumerate(zip(arrays, gradients, strict=True)):
        expected = np.zeros(x.shape, x.dtype) if gradient is None else np.asarray(gradient, x.dtype)
        found = np.zeros(x.shape, x.dtype)
        if x.dtype.kind == "c":
            push = ga.linearize(lambda v, number=number: total(*arrays[:number], v, *arrays[number + 1 :]), x)[1]
            for place in np.ndindex(x.shape):
                parts = []
                for unit in (1, 1j):
                    direction = np.zeros(x.shape, x.dtype)
                    direction[place] = unit
                    parts.append(push(ga.asarray(direction, device=x.device)).item())
                found[place] = complex(*parts)
        else:
            found[...] = ga.jacobian(total, number, mode="forward")(*arrays).to_device("cpu").numpy()
        tolerance = 1e-5 if x.dtype.itemsize // (1 + (x.dtype.kind == "c")) < 8 else 1e-12
        np.testing.assert_allclose(
            found,
            expected,
            rtol=tolerance,
            atol=tolerance,
            err_msg=f"forward, argument {number}, differs from backward",
        )
