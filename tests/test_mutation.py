"""Writes in place: values alias as in NumPy, gradients are right, and nothing is silently wrong."""

from contextlib import contextmanager

import frozen_backend  # noqa: F401 - makes it known
import numpy as np
import pytest
from conftest import DEVICES
from hypothesis import given, settings
from hypothesis import strategies as st

import gradarray as ga
from gradarray.testing import check_grads


@pytest.fixture(params=[*DEVICES, "frozen:cpu"])
def device(request):
    """As everywhere, and a device whose arrays cannot be written."""
    with ga.device(request.param) as found:
        yield found


def leaf(values):
    return ga.asarray(values, requires_grad=True)


@contextmanager
def refused(device, x, expected, match=None):
    """Backward refuses what was overwritten; where arrays are immutable it finds what was saved, and the gradient."""
    if device.backend.immutable:
        yield
        assert x.grad.tolist() == expected
    else:
        with pytest.raises(ga.OverwrittenValueError, match=match):
            yield
        assert x.grad is None


def test_filling_an_array_in_a_loop(device):
    p = leaf([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    result = ga.zeros(3)
    for k in range(3):
        result[k] = ga.sum(p[k, :] * p[0, :])
    ga.sum(result * ga.asarray([1.0, 2.0, 3.0])).backward()
    assert result.tolist() == [5.0, 11.0, 17.0]
    assert p.grad.tolist() == [[23.0, 30.0], [2.0, 4.0], [3.0, 6.0]]


def test_write_through_a_view_of_a_view_tracks_the_root(device):
    x = leaf([1.0, 2.0])
    root = ga.zeros((2, 3))
    view = ga.reshape(root, (6,))[1:5]
    other = root[0, :]
    view[1:3] = x * x
    assert root.tolist() == [[0.0, 0.0, 1.0], [4.0, 0.0, 0.0]]
    assert root.requires_grad and view.requires_grad and other.requires_grad
    (ga.sum(root) + 10.0 * ga.sum(other)).backward()
    assert x.grad.tolist() == [22.0, 4.0]


def test_overwritten_part_gets_no_gradient(device):
    x, v = leaf([1.0, 2.0, 3.0]), leaf([10.0])
    y = x * 2.0
    y[1:2] = v
    ga.sum(y * y).backward()
    assert x.grad.tolist() == [8.0, 0.0, 24.0]
    assert v.grad.tolist() == [20.0]


def test_value_saved_before_a_recorded_write_is_kept(device):
    x = leaf([2.0, 3.0])
    y = 1.0 * x
    z = y * y
    y[0] = 5.0
    (ga.sum(z) + ga.sum(y)).backward()
    assert x.grad.tolist() == [4.0, 7.0]


def test_unrecorded_write_under_a_saved_value_is_refused(device):
    x = leaf([1.0, 2.0])
    h = 1.0 * x
    y = h * h
    with ga.no_grad():
        h += 10.0
    with refused(device, x, [2.0, 4.0], r"multiply\(\) needs was overwritten by add, which was not recorded"):
        ga.sum(y).backward()


@pytest.mark.parametrize("part", ["itself", "view"])
@pytest.mark.parametrize("under", ["enable_grad", "no_grad"])
def test_write_into_a_large_untracked_operand_is_seen(device, part, under):
    x = leaf([1.0] * 1000)
    c = ga.full(1000, 3.0)
    tail = c[1:] if part == "view" else c
    y = x * c
    with getattr(ga, under)():
        tail[0] = 100.0
    with refused(device, x, [3.0] * 1000):
        ga.sum(y).backward()


@pytest.mark.parametrize("part", ["itself", "view"])
def test_small_untracked_operand_may_be_written(device, part):
    x = leaf([1.0, 2.0])
    c = ga.asarray([3.0, 4.0])
    tail = c[1:] if part == "view" else c
    y = x * c
    tail[0] = 100.0
    z = x * c
    tail += 1.0
    ga.sum(y).backward()
    assert x.grad.tolist() == [3.0, 4.0]
    x.grad = None
    ga.sum(z).backward()
    assert x.grad.tolist() == ([3.0, 100.0] if part == "view" else [100.0, 4.0])


def test_step_size_that_is_halved_in_place(device):
    x = leaf([1.0, 2.0])
    h, total = ga.asarray(8.0), ga.zeros(2)
    for _ in range(3):
        total = total + x * h
        h /= 2
    ga.sum(total).backward()
    assert x.grad.tolist() == [14.0, 14.0]


def test_small_operand_that_was_written_very_often_is_refused_not_mistaken(device):
    x = leaf([1.0, 2.0])
    c = ga.asarray([0.0, 4.0])
    view = c[:1]
    graphs = []
    for step in range(200):
        graphs.append(ga.sum(x * c))
        view[0] = step + 1.0
    for step in (199, 150, 137):
        x.grad = None
        graphs[step].backward()
        assert x.grad.tolist() == [float(step), 4.0]
    x.grad = None
    with refused(device, x, [3.0, 4.0]):
        graphs[3].backward()


def test_operand_written_under_no_grad_is_seen(device):
    x = leaf([1.0, 2.0])
    c = ga.asarray([3.0, 4.0])
    y = x * c
    with ga.no_grad():
        c[0] = 100.0
    with refused(device, x, [3.0, 4.0]):
        ga.sum(y).backward()


def test_write_before_use_is_no_trouble(device):
    x = leaf([1.0, 2.0])
    c = ga.asarray([3.0, 4.0])
    c[0] = 5.0
    ga.sum(x * c).backward()
    assert x.grad.tolist() == [5.0, 4.0]


def test_index_array_changed_after_the_gather_does_not_move_the_gradient(device):
    x = leaf([1.0, 2.0, 3.0])
    index = ga.asarray([0, 0])
    y = ga.take(x, index, axis=0)
    if device == "cpu":
        z = x[index]
        index[0] = 2
        ga.sum(z).backward()
        assert x.grad.tolist() == [2.0, 0.0, 0.0]
        x.grad = None
    else:
        index[0] = 2
    ga.sum(y).backward()
    assert x.grad.tolist() == [2.0, 0.0, 0.0]


def test_numpy_constant_changed_after_use_does_not_change_the_gradient():
    x = leaf([1.0, 2.0])
    c = np.asarray([3.0, 4.0])
    y = x * c
    c[:] = 100.0
    ga.sum(y).backward()
    assert x.grad.tolist() == [3.0, 4.0]


def test_manual_update_of_a_leaf(device):
    w = leaf([1.0, 2.0])
    for _ in range(3):
        w.grad = None
        ga.sum(w * w).backward()
        with ga.no_grad():
            w -= 0.25 * w.grad
    assert w.tolist() == [0.125, 0.25]
    assert w.is_leaf and w.requires_grad


def test_in_place_without_recording_needs_no_temporary():
    w = ga.asarray(np.ones((4, 3), np.float32))
    memory = w.numpy()
    w += 1
    w *= ga.asarray(np.full(3, 2.0, np.float32))
    w -= np.float32(1.0)
    w /= w
    assert w.dtype == ga.float32 and np.all(memory == 1.0)
    with pytest.raises(ga.ShapeError):
        w += ga.ones((2, 4, 3), dtype=ga.float32)
    c = w * 1.0
    x = leaf(np.ones((4, 3), np.float32))
    y = ga.sum(x * c)
    with ga.no_grad():
        c += 1.0
    with pytest.raises(ga.OverwrittenValueError, match="overwritten by add"):
        y.backward()


@pytest.mark.parametrize("write", ["leaf", "view", "inplace"])
def test_leaf_cannot_be_written_while_recording(device, write):
    w = leaf([1.0, 2.0])
    with pytest.raises(ga.LeafWriteError, match="no_grad"):
        if write == "leaf":
            w[0] = 3.0
        elif write == "view":
            w[1:][0] = 3.0
        else:
            w += 1.0
    assert w.tolist() == [1.0, 2.0]


def test_in_place_operators_keep_dtype_shape_and_identity(device):
    x = ga.asarray([1.0, 2.0], dtype=ga.float32)
    same = x
    x += 1
    x *= ga.asarray([2.0, 3.0], dtype=ga.float32)
    assert same is x and x.dtype == ga.float32 and x.tolist() == [4.0, 9.0]
    k = ga.asarray([1, 2])
    with pytest.raises(ga.DTypeError, match="without loss"):
        k += 0.5
    with pytest.raises(ga.ShapeError, match="in place the shape cannot change"):
        x += ga.ones((3, 2), dtype=ga.float32)
    assert k.tolist() == [1, 2] and x.tolist() == [4.0, 9.0]


def test_tracked_in_place_operators(device):
    x = leaf([1.0, 2.0])
    y = x * 1.0
    y *= x
    y += 1.0
    y /= 2.0
    ga.sum(y * y).backward()
    assert x.grad.tolist() == pytest.approx([2.0 * 1.0, 2.5 * 4.0])


def test_fractions_written_into_integers_are_cut_as_in_numpy(device):
    k = ga.asarray([1, 2, 3], dtype=ga.int8)
    k[0] = -1.7
    k[1:] = ga.asarray([2.9, 127.5])
    assert k.dtype == ga.int8 and k.tolist() == [-1, 2, 127]
    k[0] = np.float32(5.5)
    assert k.tolist() == [5, 2, 127]


def test_what_no_integer_stands_for_is_not_written(device):
    k = ga.asarray([1, 2], dtype=ga.int8)
    for value in (float("nan"), float("inf"), 128.0, -129.0, ga.asarray([1.0, 300.0]), ga.asarray(float("nan"))):
        with pytest.raises(
            ga.ScalarOverflowError, match=r"setitem\(\): a value is not a number within the range of int8"
        ):
            k[...] = value
    wide = ga.asarray([1], dtype=ga.int64)
    with pytest.raises(ga.ScalarOverflowError):
        wide[0] = 2.0**63
    wide[0] = -(2.0**63)
    assert wide.tolist() == [-(2**63)]
    with pytest.raises(ga.DTypeError, match="without loss"):
        k[0] = leaf(1.5)  # it would lose its gradient
    with pytest.raises(ga.DTypeError, match="without loss"):
        k[0] = 1j
    assert k.tolist() == [1, 2]


def test_value_is_never_wrapped_around(device):
    k = ga.asarray([1, 2], dtype=ga.int8)
    with pytest.raises(ga.ScalarOverflowError):
        k[0] = 300
    with pytest.raises(ga.ScalarOverflowError):
        k[0] = ga.asarray(300)
    with pytest.raises(ga.DTypeError):
        ga.asarray([1.0])[...] = 1j
    k[0] = ga.asarray(7)
    assert k.tolist() == [7, 2]


def test_stretched_and_read_only_memory_is_refused(device):
    stretched = ga.broadcast_to(ga.asarray([[1.0]]), (2, 3))
    with pytest.raises(ga.ReadOnlyError, match="write into a copy"):
        stretched += 1.0
    copied = ga.asarray(stretched, copy=True)
    copied += 1.0
    assert copied.tolist() == [[2.0] * 3] * 2


def test_read_only_numpy_memory_is_refused():
    array = np.ones(2)
    array.flags.writeable = False
    x = ga.asarray(array)
    with pytest.raises(ga.ReadOnlyError):
        x[0] = 2.0


def test_tracked_value_through_a_detached_alias_is_refused(device):
    x = leaf([1.0, 2.0])
    y = x * 1.0
    alias = y.detach()
    with pytest.raises(ga.GradientError, match="detached alias"):
        alias[0] = ga.sum(x)
    assert y.tolist() == [1.0, 2.0]
    alias[0] = 3.0
    assert y.tolist() == [3.0, 2.0]


def test_view_made_under_no_grad_has_no_history(device):
    x = leaf([1.0, 2.0])
    y = x * 1.0
    with ga.no_grad():
        view = y[:1]
    assert not view.requires_grad
    assert not (view * 2.0).requires_grad


def test_boolean_mask_assignment(device):
    x = leaf([1.0, -2.0, 3.0])
    y = x * 2.0
    y[y < 0.0] = 0.0
    ga.sum(y * y).backward()
    assert x.grad.tolist() == [8.0, 0.0, 24.0]


def test_repeated_indices_give_the_gradient_to_the_last_write():
    v = leaf([1.0, 2.0, 3.0])
    y = ga.zeros(2)
    y[ga.asarray([0, 1, 0])] = v * 1.0
    assert y.tolist() == [3.0, 2.0]
    ga.sum(y * ga.asarray([10.0, 100.0])).backward()
    assert v.grad.tolist() == [0.0, 100.0, 10.0]


def test_second_order_through_assignment(device):
    x = leaf([1.0, 2.0])
    y = ga.zeros(3)
    y[1:] = x * x
    ga.sum(y * y).backward(create_graph=True)
    g, x.grad = x.grad, None
    ga.sum(g).backward()
    assert g.tolist() == [4.0, 32.0]
    assert x.grad.tolist() == [12.0, 48.0]


@pytest.mark.parametrize("steps", [("permute", "reshape"), ("flip", "slice"), ("expand", "squeeze", "move")])
def test_write_through_views_of_every_kind(device, steps):
    if "flip" in steps and not (device.backend.reverses or device.backend.immutable):
        pytest.skip("what runs backwards is a copy there: the library has no negative strides")
    rng = np.random.default_rng(1)
    base, value = rng.standard_normal((2, 3)), rng.standard_normal(2)

    def views(x):
        for step in steps:
            x = {
                "permute": lambda x: ga.permute_dims(x, (1, 0)),
                "reshape": lambda x: ga.reshape(x, (3, 2, 1)),
                "flip": lambda x: ga.flip(x, axis=0),
                "slice": lambda x: x[:, ::-2],
                "expand": lambda x: ga.expand_dims(x, axis=1),
                "squeeze": lambda x: ga.squeeze(x, axis=1),
                "move": lambda x: ga.moveaxis(x, 0, 1),
            }[step](x)
        return x

    a, v = leaf(base), leaf(value)
    root = a * 1.0
    view = views(root)
    view[..., 0] = ga.sum(v) * 1.0
    weight = ga.asarray(rng.standard_normal((2, 3)))
    ga.sum(root * weight).backward()
    # The same without writes: the numbers of the elements tell which were overwritten.
    numbers = ga.reshape(ga.arange(6), (2, 3))
    hit = np.isin(np.arange(6).reshape(2, 3), np.asarray(views(numbers)[..., 0].tolist()))
    w = np.asarray(weight.tolist())
    np.testing.assert_allclose(a.grad.tolist(), np.where(hit, 0.0, w))
    np.testing.assert_allclose(v.grad.tolist(), np.full(2, w[hit].sum()))


def test_write_through_a_view_of_one_element(device):
    x = leaf(np.asarray([1.0, 2.0]))
    y = x * 1.0
    view = y[1]
    view *= 3.0
    assert y.tolist() == [1.0, 6.0]
    ga.sum(y).backward()
    assert x.grad.tolist() == [1.0, 3.0]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_in_place_programs_agree_with_their_out_of_place_twins(data):
    n = 4
    x = leaf(np.linspace(1.0, 2.0, n))
    twin = leaf(np.linspace(1.0, 2.0, n))
    a = x * 1.0
    parts = [twin[i] * 1.0 for i in range(n)]
    saved, saved_twin = [], []
    for _ in range(data.draw(st.integers(1, 6))):
        action = data.draw(st.sampled_from(["write", "scale", "use", "view"]))
        start = data.draw(st.integers(0, n - 1))
        stop = data.draw(st.integers(start + 1, n))
        if action == "use":
            saved.append(ga.sum(a * a))
            saved_twin.append(sum((p * p for p in parts[1:]), parts[0] * parts[0]))
        elif action == "write":
            a[start:stop] = ga.sum(a) * 0.5
            total = sum(parts[1:], parts[0]) * 0.5
            parts[start:stop] = [total] * (stop - start)
        elif action == "scale":
            part = a[start:stop]
            part *= 1.5
            parts[start:stop] = [p * 1.5 for p in parts[start:stop]]
        else:
            view = ga.flip(a, axis=0)
            view[start] = x[0] * 2.0
            parts[n - 1 - start] = twin[0] * 2.0
    (sum(saved, ga.sum(a * a))).backward()
    (sum(saved_twin, sum((p * p for p in parts[1:]), parts[0] * parts[0]))).backward()
    np.testing.assert_allclose(x.grad.tolist(), twin.grad.tolist())


def test_ledger_stays_small_where_nobody_else_sees_the_buffer():
    from gradarray import _mutation

    before = len(_mutation.ledger)
    x = leaf([1.0, 2.0])
    result = ga.zeros((100, 2))
    for k in range(100):
        result[k, ...] = x * float(k)
        row = result[k]
        row *= 2.0
    writes = [len(entry) for entry in _mutation.ledger.values()]
    assert len(_mutation.ledger) == before, writes
    ga.sum(result).backward()
    assert x.grad.tolist() == [9900.0, 9900.0]


def test_write_that_fails_leaves_the_graph_usable(device):
    x = leaf([1.0, 2.0])
    c = ga.asarray([3.0, 4.0])
    y = x * c
    with pytest.raises(ga.ShapeError):
        c[...] = ga.ones(3)
    with pytest.raises(ga.IndexingError):
        c[7] = 1.0
    ga.sum(y).backward()
    assert x.grad.tolist() == [3.0, 4.0]


def test_ledger_forgets_dead_buffers(device):
    from gradarray import _mutation

    before = len(_mutation.ledger)
    x = leaf([1.0, 2.0])
    c = ga.asarray([3.0, 4.0])
    y = x * c
    c[0] = 5.0
    assert len(_mutation.ledger) == before + (not device.backend.immutable)
    del c, y
    assert len(_mutation.ledger) == before


class TestImmutableArrays:
    """Aliases where the library cannot write: the same as elsewhere, and gone when nobody holds them."""

    @pytest.fixture
    def frozen(self):
        with ga.device("frozen:cpu") as found:
            yield found

    def test_aliases_without_history_see_writes(self, frozen):
        x = leaf([1.0, 2.0, 3.0])
        with ga.no_grad():
            row, alias = x[1:], x.detach()
            row *= 10.0
            alias[0] = 5.0
        assert x.tolist() == alias.tolist() == [5.0, 20.0, 30.0]
        assert row.tolist() == [20.0, 30.0]

    def test_stretched_views_are_read_only(self, frozen):
        x = ga.asarray([1.0, 2.0])
        with pytest.raises(ga.ReadOnlyError):
            ga.broadcast_to(x, (2, 2))[0] = 5.0
        with pytest.raises(ga.ReadOnlyError):
            ga.broadcast_to(x, (2, 2))[1][0] = 5.0
        assert x.tolist() == [1.0, 2.0]

    def test_the_table_of_aliases_keeps_nothing_alive(self, frozen):
        from gradarray import _aliases

        before = len(_aliases._links), len(_aliases._aliases)
        x = ga.asarray([1.0, 2.0, 3.0])
        views = [x[k:] for k in range(3)]
        nested = views[0][1:]
        assert len(_aliases._links) == before[0] + 4
        del x, views
        nested[0] = 7.0
        assert nested.tolist() == [7.0, 3.0]
        del nested
        assert (len(_aliases._links), len(_aliases._aliases)) == before


# --- parts of complex numbers ----------------------------------------------------------------------------------------


def test_parts_of_a_complex_array_are_views(device):
    z = ga.asarray([1 + 2j, 3 + 4j, 5 + 6j])
    re, im = z.real, z.imag
    assert re.dtype == im.dtype == ga.float64
    assert (re.tolist(), im.tolist()) == ([1.0, 3.0, 5.0], [2.0, 4.0, 6.0])
    re[0] = 10.0
    im[1:] = ga.asarray([-1.0, -2.0])
    z.real[1:][ga.asarray([True, False])] = 7.0
    assert z.tolist() == [10 + 2j, 7 - 1j, 5 - 2j]
    assert (re.tolist(), im.tolist()) == ([10.0, 7.0, 5.0], [2.0, -1.0, -2.0])
    z.real = 0.5
    z.imag += 1.0
    assert z.tolist() == [0.5 + 3j, 0.5 + 0j, 0.5 - 1j]
    z[0] = 1j
    assert (re.tolist(), im.tolist()) == ([0.0, 0.5, 0.5], [1.0, 0.0, -1.0])


def test_parts_of_a_real_array(device):
    x = ga.asarray([1.0, 2.0])
    assert x.real is x
    assert x.imag.tolist() == [0.0, 0.0]
    x.real = 3.0
    assert x.tolist() == [3.0, 3.0]
    with pytest.raises(ga.DTypeError, match="a real array has no imaginary part to write"):
        x.imag = 1.0


def test_gradients_go_through_parts_that_are_written(device):
    def f(z, a, b):
        w = z * z
        w.real[0] = a
        w.imag[ga.asarray([1, 0, 1], device=w.device)] = b
        return ga.sum(w.real * w.real * w.imag) + ga.sum(ga.abs(w) ** 2)

    z = np.asarray([1 + 2j, 3 - 1j, 0.5 + 1j])
    check_grads(f, [z, np.asarray(0.7), np.asarray([1.5, -0.3, 0.9])], device=device)


def test_a_write_into_a_part_tracks_the_whole(device):
    x = leaf([1.0, 2.0])
    z = ga.zeros(2, dtype=ga.complex128)
    im = z.imag
    im[...] = x * x
    assert z.requires_grad and z.real.requires_grad
    y = ga.abs(z * (1 + 1j)) ** 2
    ga.sum(y).backward()
    np.testing.assert_allclose(x.grad.to_device("cpu").numpy(), [8.0, 64.0], rtol=1e-12)
