"""NumPy's functions on arrays of ours: NumPy's values on every device, and derivatives against finite differences."""

import numpy as np
import pytest
from gradient_cases import real
from numpy_calls import CALLS, CONSTANTS, METHODS, UFUNCS

import gradarray as ga
from gradarray.testing import check_grads


def parts_of(result):
    """The results of a call, one after another."""
    if isinstance(result, (tuple, list)):
        return [part for each in result for part in parts_of(each)]
    return [result]


def is_floating(x):
    return isinstance(x, ga.Array) and x.dtype.kind in "fc"


def joined(result):
    """The floating-point results of a call as one vector."""
    parts = [np.ravel(part) for part in parts_of(result) if is_floating(part)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def of_ufunc(name):
    ufunc = getattr(np, name, None)
    if ufunc is None:
        pytest.skip(f"this NumPy has no {name}")
    return lambda *arrays: ufunc(*arrays)


def same(found, expected, device):
    parts, others = parts_of(found), parts_of(expected)
    assert len(parts) == len(others)
    for part, other in zip(parts, others, strict=True):
        if isinstance(other, (np.ndarray, np.generic)) and not isinstance(part, (bool, int)):
            assert isinstance(part, ga.Array), type(part)
            assert part.device == device
            assert part.shape == other.shape
            assert part.dtype == other.dtype or part.dtype.kind in "iu"
            np.testing.assert_allclose(part.detach()._host(), other, rtol=1e-10, atol=1e-12)
        else:
            assert part == other


TABLE = [
    *CALLS,
    *METHODS,
    *[(f"ufunc {name} {len(arrays)} {arrays[0].dtype.kind}", None, arrays) for name, arrays in UFUNCS],
]


def functions_of(table):
    return [
        pytest.param(f or (lambda *arrays, name=name: of_ufunc(name.split()[1])(*arrays)), arrays, id=name)
        for name, f, arrays in table
    ]


@pytest.mark.parametrize(("f", "arrays"), functions_of([*TABLE, *[(f"constant {c[0]}", *c[1:]) for c in CONSTANTS]]))
@pytest.mark.parametrize("place", ["cpu", "strict:device1", "torch:cpu"])
def test_values_are_numpys(f, arrays, place):
    if place == "torch:cpu":
        pytest.importorskip("torch")
    device = ga.get_device(place)
    same(f(*[ga.asarray(a, device=device) for a in arrays]), f(*arrays), device)


@pytest.mark.parametrize(("f", "arrays"), functions_of(TABLE))
def test_derivatives_are_confirmed(f, arrays):
    results = parts_of(f(*[ga.asarray(a, requires_grad=True) for a in arrays]))
    assert any(is_floating(part) for part in results)
    check_grads(lambda *given: joined(f(*given)), arrays, order=1)


@pytest.mark.parametrize(("f", "arrays"), functions_of(CALLS + METHODS))
def test_no_floating_result_is_cut_off(f, arrays):
    results = parts_of(f(*[ga.asarray(a, requires_grad=True) for a in arrays]))
    cut = [part for part in results if is_floating(part) and not part.requires_grad]
    assert not cut, cut


@pytest.mark.parametrize(("f", "arrays"), functions_of(CONSTANTS))
def test_constants_of_tracked_arrays(f, arrays):
    found = f(*[ga.asarray(a, requires_grad=True) for a in arrays])
    assert not any(isinstance(part, ga.Array) and part.requires_grad for part in parts_of(found))
    same(found, f(*arrays), ga.get_device("cpu"))


class TestOut:
    def test_an_array_of_ours_is_written_and_recorded(self, device):
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        out = ga.zeros(2)
        assert np.multiply(x, 3.0, out=out) is out
        assert out.requires_grad
        ga.sum(out * out).backward()
        assert x.grad.tolist() == [18.0, 36.0]

    def test_a_numpy_array_takes_what_is_not_tracked(self):
        out = np.zeros(2)
        assert np.sum(ga.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0, out=out) is out
        assert out.tolist() == [4.0, 6.0]
        with pytest.raises(ga.TrackedConversionError, match="no history") as caught:
            np.sum(ga.asarray([[1.0, 2.0]], requires_grad=True), axis=0, out=out)
        assert isinstance(caught.value, TypeError)
        assert out.tolist() == [4.0, 6.0]

    def test_several_outputs(self):
        x = ga.asarray([1.5, -2.25], requires_grad=True)
        parts = ga.zeros(2), ga.zeros(2)
        found = np.modf(x, out=parts)
        assert found[0] is parts[0] and found[1] is parts[1]
        assert parts[0].tolist() == [0.5, -0.25] and parts[1].tolist() == [1.0, -2.0]
        assert parts[0].requires_grad and not parts[1].requires_grad

    def test_shape_and_dtype(self):
        x = ga.asarray([1.0, 2.0])
        with pytest.raises(ga.ShapeError, match=r"numpy\.sin\(\)"):
            np.sin(x, out=ga.zeros(3))
        with pytest.raises(ga.DTypeError, match="same_kind"):
            np.sin(x, out=ga.zeros(2, dtype=ga.int64))
        out = ga.zeros(2, dtype=ga.float32)
        assert np.sin(x, out=out).dtype == ga.float32

    def test_where_leaves_the_rest(self):
        x = ga.asarray([4.0, -1.0], requires_grad=True)
        out = ga.asarray([7.0, 7.0])
        found = np.sqrt(x, where=x > 0, out=out)
        assert found.tolist() == [2.0, 7.0]
        ga.sum(found).backward()
        assert x.grad.tolist() == [0.25, 0.0]


class TestRefusals:
    @pytest.mark.parametrize(
        ("name", "call"),
        [
            ("histogram2d", lambda x: np.histogram2d(x, x)),
            ("polydiv", lambda x: np.polydiv(x, [1.0, 2.0])),
            ("percentile", lambda x: np.percentile(x, 50, method="inverted_cdf", weights=x)),
            ("polyfit", lambda x: np.polyfit(x, x, 1, full=True)),
            ("pad", lambda x: np.pad(x, 1, mode=lambda *_: None)),
            ("linalg.qr", lambda x: np.linalg.qr(np.outer(x, x), mode="raw")),
            ("fft.fftn", lambda x: np.fft.fftn(np.outer(x, x), axes=(0, 0))),
            ("save", lambda x: np.save("nowhere", x)),
        ],
    )
    def test_what_has_no_equivalent_names_itself(self, name, call, device):
        with pytest.raises(ga.TrackedConversionError, match=rf"numpy\.{name}\(\).*\n(.*\n)+Fix: .*detach") as caught:
            call(ga.asarray([3.0, 1.0, 2.0], requires_grad=True))
        assert isinstance(caught.value, TypeError)

    def test_it_is_numpys_own_where_nothing_is_tracked(self, device):
        x = ga.asarray([3.0, 1.0, 2.0])
        found = np.polydiv(x, [1.0, 2.0])
        expected = np.polydiv([3.0, 1.0, 2.0], [1.0, 2.0])
        for part, other in zip(found, expected, strict=True):
            assert type(part) is ga.Array and part.device is device
            assert part.tolist() == other.tolist()
        assert np.gcd(ga.asarray([4, 6]), 8).tolist() == [4, 2]
        assert np.gcd.reduce(ga.asarray([4, 6])).item() == 2

    def test_results_share_no_memory_behind_the_record(self):
        x = ga.asarray([3.0, 1.0, 2.0])
        windows = np.lib.stride_tricks.sliding_window_view(x, 2)
        windows[0, 0] = 9.0
        assert x.tolist() == [3.0, 1.0, 2.0]

    def test_tracked_values_do_not_go_into_numpys_arrays(self):
        x = ga.asarray([3.0, 1.0], requires_grad=True)
        target = np.zeros(2)
        for call in (
            lambda: np.copyto(target, x),
            lambda: np.put(target, [0], x),
            lambda: np.add.at(target, [0, 1], x),
            lambda: np.place(target, np.asarray([True, True]), x),
        ):
            with pytest.raises(ga.TrackedConversionError):
                call()
        assert target.tolist() == [0.0, 0.0]
        np.copyto(target, x.detach())
        np.add.at(target, [0, 0], x.detach())
        assert target.tolist() == [7.0, 1.0]

    def test_devices_do_not_mix(self):
        x = ga.asarray([1.0, 2.0], device="strict:device1")
        for call in (
            lambda: np.dot(x, np.ones(2)),
            lambda: np.where(x > 0, x, np.zeros(2)),
            lambda: np.concatenate([x, ga.ones(2, device="cpu")]),
            lambda: np.interp(np.ones(2), x, x),
        ):
            with pytest.raises(ga.DeviceMismatchError):
                call()

    def test_a_conversion_names_the_functions_of_scipy(self):
        with pytest.raises(ga.TrackedConversionError, match=r"gradarray\.scipy"):
            np.asarray(ga.asarray([1.0], requires_grad=True))

    @pytest.mark.parametrize(
        ("error", "call"),
        [
            (ga.AxisError, lambda x: np.sum(x, axis=3)),
            (ga.AxisError, lambda x: np.diagonal(x, axis1=0, axis2=0)),
            (ga.ArgumentValueError, lambda x: np.max(x, where=x > 0)),
            (ga.ArgumentValueError, lambda x: np.percentile(x, 120)),
            (ga.ArgumentValueError, lambda x: np.quantile(x, 0.5, method="none")),
            (ga.ArgumentValueError, lambda x: np.pad(x, 1, mode="edge", constant_values=2)),
            (ga.ArgumentValueError, lambda x: np.split(x, 2, axis=1)),
            (ga.ShapeError, lambda x: np.einsum("ij,jk", x, x)),
            (ga.ArgumentValueError, lambda x: np.einsum("ij->ii", x)),
            (ga.ShapeError, lambda x: np.vsplit(x[0], 3)),
            (ga.LinearAlgebraError, lambda x: np.linalg.inv(x[:, :2] * 0)),
            (ga.ArgumentValueError, lambda x: np.linalg.norm(x, "none")),
        ],
    )
    def test_errors_are_typed(self, error, call):
        with pytest.raises(error, match="Fix: "):
            call(ga.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True))


class TestUfuncs:
    def test_those_of_scipy(self, device):
        special = pytest.importorskip("scipy.special")
        x = ga.asarray([0.3, 0.7], requires_grad=True)
        values = x.detach()._host()
        for ufunc, others in (
            (special.expit, ()),
            (special.expm1, ()),
            (special.log1p, ()),
            (special.gammaln, ()),
            (special.ndtr, ()),
            (special.logit, ()),
            (special.xlogy, (x,)),
            (special.beta, (2.0,)),
        ):
            found = ufunc(x, *others)
            assert found.requires_grad and found.device is device
            expected = ufunc(values, *[values if isinstance(other, ga.Array) else other for other in others])
            np.testing.assert_allclose(found.detach()._host(), expected, rtol=1e-6)
        ga.sum(special.expit(x)).backward()
        expected = special.expit(values) * special.expit(-values)
        np.testing.assert_allclose(x.grad._host(), expected, rtol=1e-6)

    def test_a_ufunc_is_known_by_itself_and_not_by_its_name(self):
        sin = np.frompyfunc(lambda t: t + 100, 1, 1)
        x = ga.asarray([1.0])
        assert sin(x).tolist() == [101.0]
        with pytest.raises(ga.TrackedConversionError):
            sin(ga.asarray([1.0], requires_grad=True))

    def test_casting(self):
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        found = np.add(x, 1, dtype=np.float32)
        assert found.dtype == ga.float32 and found.requires_grad
        with pytest.raises(ga.DTypeError, match="same_kind"):
            np.add(x, 1, dtype=np.int64)
        assert np.less(x, 2.0, dtype=bool).tolist() == [True, False]

    @pytest.mark.parametrize("keywords", [{"order": "K"}, {"subok": True}, {"casting": "same_kind"}])
    def test_keywords_that_change_nothing(self, keywords):
        assert np.exp(ga.asarray([0.0], requires_grad=True), **keywords).tolist() == [1.0]


class TestDataTypes:
    @pytest.mark.parametrize(
        "call",
        [
            lambda x: np.mean(x),
            lambda x: np.std(x, axis=0, ddof=1),
            lambda x: np.linalg.norm(x),
            lambda x: np.einsum("ij,kj", x, x),
            lambda x: np.percentile(x, 30),
            lambda x: np.clip(x, 0, 1.5),
            lambda x: np.where(x > 0, x, 1.0),
            lambda x: np.pad(x, 1, mode="linear_ramp"),
            lambda x: np.gradient(x, axis=0),
            lambda x: np.linspace(x, x + 1, 3),
            lambda x: np.cov(x),
        ],
    )
    def test_float32_stays(self, call, device):
        assert call(ga.asarray([[1.0, 2.0], [-3.0, 4.0]], dtype=ga.float32)).dtype == ga.float32

    @pytest.mark.parametrize(
        ("call", "kind"),
        [
            (lambda x: np.sum(x, initial=2.0), "i"),
            (lambda x: np.max(x, where=x > 0, initial=0), "i"),
            (lambda x: np.quantile(x, 0.5, method="lower"), "i"),
            (lambda x: np.mean(x), "f"),
            (lambda x: np.vander(x), "i"),
            (lambda x: np.convolve(x, x), "i"),
            (lambda x: np.einsum("i,i", x, x), "i"),
            (lambda x: np.trapezoid(x), "f"),
            (lambda x: np.rint(x), "f"),
            (lambda x: np.reciprocal(x), "i"),
        ],
    )
    def test_integers(self, call, kind, device):
        assert call(ga.asarray([1, 2, 4])).dtype.kind == kind


def test_no_value_stands_for_the_default():
    x = ga.asarray([1.0, 2.0], requires_grad=True)
    assert np.sum(x, keepdims=np._NoValue).shape == ()


def test_sequences_with_arrays_in_them():
    x = ga.asarray([1.0, 2.0], requires_grad=True)
    assert np.concatenate([x, [3.0, 4.0]]).tolist() == [1.0, 2.0, 3.0, 4.0]
    assert np.stack([x, np.zeros(2)]).requires_grad
    assert np.add(x, [3.0, 4.0]).tolist() == np.add([3.0, 4.0], x).tolist() == [4.0, 6.0]
    with pytest.raises(ga.TrackedConversionError):
        np.sum([x, x])


def test_programs_of_numpy_are_differentiated_as_they_stand():
    def loss(weights, inputs, labels):
        scores = np.einsum("nf,fc->nc", inputs, weights)
        scores = scores - np.max(scores, axis=1, keepdims=True)
        logs = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
        return -np.mean(np.take_along_axis(logs, labels[:, None], axis=1)) + 0.1 * np.linalg.norm(weights) ** 2

    inputs, labels = real(6, 3, seed=40), np.asarray([0, 1, 2, 1, 0, 2])
    check_grads(lambda w: loss(w, inputs, labels), [real(3, 3, seed=41)], order=2)


def test_importing_the_library_does_not_load_the_table():
    import subprocess
    import sys

    code = (
        "import sys, gradarray; "
        "assert not [name for name in sys.modules if name.startswith(('gradarray._numpy_functions', 'scipy'))]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
