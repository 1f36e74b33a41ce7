"""Backward: values, accumulation, freeing, second order, and the errors that it promises."""

import threading

import numpy as np
import pytest

import gradarray as ga


def leaf(values, **keywords):
    return ga.asarray(values, requires_grad=True, **keywords)


def test_gradient_has_shape_dtype_and_device_of_its_leaf(device):
    x = leaf([1.0, 2.0], dtype=ga.float32)
    w = ga.asarray([[0.5, 0.25]], dtype=ga.float64)
    ga.sum(x * w).backward()
    assert (x.grad.shape, x.grad.dtype, x.grad.device) == (x.shape, ga.float32, device)
    assert x.grad.tolist() == [0.5, 0.25]


def test_broadcast_axes_are_summed(device):
    a = leaf([2.0])
    b = leaf([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    ga.sum(a * b).backward()
    assert a.grad.tolist() == [15.0]
    assert b.grad.tolist() == [[2.0, 2.0]] * 3


def test_axis_stretched_to_zero_is_summed_to_zero(device):
    b = leaf([1.0, 2.0, 3.0])
    loss = ga.sum(ga.zeros((3, 0)) + ga.reshape(b, (3, 1)))
    loss.backward()
    assert b.grad.tolist() == [0.0, 0.0, 0.0]


def test_real_leaf_of_complex_computation_gets_a_real_gradient(device):
    x = leaf([1.0, 2.0])
    u = ga.astype(x, ga.complex128) * (1.0 - 2.0j)
    ga.sum(ga.real(u)).backward()
    assert x.grad.dtype == ga.float64
    assert x.grad.tolist() == [1.0, 1.0]


def test_gradients_accumulate_until_cleared(device):
    x = leaf([1.0, 2.0])
    for expected in ([2.0, 4.0], [4.0, 8.0]):
        ga.sum(x * x).backward()
        assert x.grad.tolist() == expected
    ga.zero_grad([x])
    assert x.grad is None
    ga.sum(x).backward()
    x.grad = None
    assert x.grad is None


@pytest.mark.parametrize("create_graph", [False, True])
def test_leaves_never_share_a_gradient_buffer(device, create_graph):
    a, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    seed = ga.ones(2)
    (a + b).backward(seed, create_graph=create_graph)
    with ga.no_grad():
        a.grad[0] = 100.0
    assert b.grad.tolist() == [1.0, 1.0]
    assert seed.tolist() == [1.0, 1.0]


def test_backward_of_a_leaf_itself(device):
    x = leaf(3.0)
    x.backward()
    assert x.grad.item() == 1.0


def test_one_operand_twice(device):
    x = leaf([3.0])
    (x * x).backward()
    assert x.grad.tolist() == [6.0]


def test_retain_graph_and_freed_graph(device):
    a, b = leaf(2.0), leaf(3.0)
    d = (a * b) * (a * b)
    d.backward(retain_graph=True)
    assert (a.grad.item(), b.grad.item()) == (36.0, 24.0)
    d.backward()
    assert (a.grad.item(), b.grad.item()) == (72.0, 48.0)
    with pytest.raises(ga.FreedGraphError, match=r"multiply\(\)\nFix: pass retain_graph=True"):
        d.backward()
    assert (a.grad.item(), b.grad.item()) == (72.0, 48.0)


def test_freed_part_of_another_graph_is_refused(device):
    x = leaf(2.0)
    h = x * x
    (h * 1.0).backward()
    with pytest.raises(ga.FreedGraphError, match="multiply"):
        (h + 1.0).backward()


def test_create_graph_gives_differentiable_gradients(device):
    x = leaf([1.0, 2.0])
    ga.sum(x * x * x).backward(create_graph=True)
    g = x.grad
    assert g.requires_grad and g.tolist() == [3.0, 12.0]
    x.grad = None
    ga.sum(g).backward()
    assert x.grad.tolist() == [6.0, 12.0]
    assert not x.grad.requires_grad


def test_third_order(device):
    x = leaf(2.0)
    y = x * x * x * x
    for expected in (32.0, 48.0, 48.0):
        x.grad = None
        y.backward(create_graph=True)
        y = x.grad
        assert y.item() == pytest.approx(expected)


def test_inputs_limits_what_is_written(device):
    x, y = leaf([1.0]), leaf([2.0])
    (x * y).backward(inputs=[y])
    assert x.grad is None
    assert y.grad.tolist() == [1.0]


def test_unused_leaf_keeps_none(device):
    x, y = leaf([1.0]), leaf([2.0])
    (x * 1.0).backward()
    assert y.grad is None


def test_non_scalar_needs_a_gradient(device):
    x = leaf([1.0, 2.0])
    with pytest.raises(ga.NonScalarGradientError, match="needs a gradient(.|\n)*by sum, or pass gradient="):
        (x * x).backward()
    (x * x).backward(ga.asarray([1.0, 10.0]))
    assert x.grad.tolist() == [2.0, 40.0]


def test_error_in_a_rule_leaves_gradients_as_they_were(device):
    x, y = leaf([1.0]), leaf([1.0])
    ga.sum(x + y).backward()
    z = x * y
    h = z * 1.0
    with ga.no_grad():
        z[0] = 5.0
    loss = h * z
    with ga.no_grad():
        z[0] = 6.0
    with pytest.raises(ga.OverwrittenValueError):
        loss.backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([1.0], [1.0])


def test_sum_gradient_is_spread_without_copies_sharing(device):
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    ga.sum(x).backward()
    with ga.no_grad():
        x.grad[0, 0] = 9.0
    assert x.grad.tolist() == [[9.0, 1.0], [1.0, 1.0]]


def test_float32_graph_stays_float32():
    x = leaf(np.ones(3, np.float32))
    y = ga.sum(ga.exp(x * 0.5) + x / 3.0)
    seen = []
    node = y.grad_fn
    stack = [node]
    while stack:
        node = stack.pop()
        if hasattr(node, "parents"):
            seen.append(node.dtype)
            stack.extend(parent for parent in node.parents if parent is not None)
    assert set(seen) == {np.dtype("float32")}


def test_threads_share_a_leaf_exactly():
    x = leaf([1.0, 2.0])
    n, each = 8, 50

    def work():
        for _ in range(each):
            ga.sum(x * x).backward()

    threads = [threading.Thread(target=work) for _ in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert x.grad.tolist() == [2.0 * n * each, 4.0 * n * each]


def test_gradient_crosses_devices_back_to_its_leaf():
    x = leaf([1.0, 2.0], device="cpu")
    y = x.to_device("strict:device1")
    assert y.device == "strict:device1" and y.requires_grad
    z = ga.sum(y * y).to_device("strict:device2")
    (z * 3.0).backward()
    assert x.grad.device == "cpu"
    assert x.grad.tolist() == [6.0, 12.0]


def test_gradient_crosses_devices_to_second_order():
    x = leaf([1.0, 2.0], device="cpu")
    y = x.to_device("strict:device1")
    ga.sum(y * y * y).backward(create_graph=True)
    g, x.grad = x.grad, None
    ga.sum(g).backward()
    assert x.grad.tolist() == [6.0, 12.0] and x.grad.device == "cpu"


def test_reading_grad_of_a_result_warns(device):
    y = leaf([1.0]) * 2.0
    with pytest.warns(UserWarning, match="not a leaf"):
        assert y.grad is None


def test_operation_without_a_derivative_refuses_tracked_arrays_only():
    from gradarray import _dispatch
    from gradarray._operations import OPERATIONS, no_derivative

    @no_derivative("it is a test")
    def floor(x, /):
        return _dispatch.unary(floor, x)

    try:
        assert floor(ga.asarray([1.5])).tolist() == [1.0]
        with pytest.raises(ga.NoDerivativeError, match=r"floor\(\): (.|\n)*it is a test(.|\n)*x\.detach\(\)"):
            floor(leaf([1.5]))
        with ga.no_grad():
            assert floor(leaf([1.5])).tolist() == [1.0]
    finally:
        del OPERATIONS[floor]


def test_slices_past_the_end_are_alike_on_every_device(device):
    x = leaf([1.0, 2.0, 3.0])
    for key in (slice(1, 100), slice(-100, 2), slice(5, 9), slice(100, None, -1), slice(None, -100, -1), slice(2, 0)):
        assert x[key].tolist() == [1.0, 2.0, 3.0][key]
    ga.sum(x[1:100]).backward()
    assert x.grad.tolist() == [0.0, 1.0, 1.0]
