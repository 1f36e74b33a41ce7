"""Derivatives of functions: grad, vjp, jvp, linearize, jacobian, hessian, hvp, over nested containers and nested."""

from collections import OrderedDict, namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gradarray as ga

pytestmark = pytest.mark.usefixtures("device")

Point = namedtuple("Point", ["x", "y"])


@dataclass(frozen=True)
class Layer:
    weights: ga.Array
    bias: ga.Array
    name: str = "layer"
    derived: list = field(init=False, default_factory=list)


def array(*values, dtype=None):
    return ga.asarray(np.asarray(values[0] if len(values) == 1 else values, dtype=dtype or np.float64))


def values(x):
    return x.detach().to_device("cpu").numpy()


def cubes(x):
    return ga.sum(x**3)


class TestGrad:
    def test_the_gradient_is_like_the_argument(self, device):
        x = array(1.0, 2.0, dtype=np.float32)
        g = ga.grad(cubes)(x)
        assert (g.shape, g.dtype, g.device) == (x.shape, x.dtype, device)
        assert g.tolist() == [3.0, 12.0]
        assert not g.requires_grad and x.grad is None and not x.requires_grad

    def test_any_order(self):
        f = lambda x: x**5
        for expected in (80.0, 160.0, 240.0, 240.0, 120.0, 0.0):
            f = ga.grad(f)
            assert float(f(array(2.0))) == expected

    def test_argnums_choose_the_arguments(self):
        f = lambda x, y, *, scale: ga.sum(x * y) * scale
        x, y = array(1.0, 2.0), array(3.0, 4.0)
        assert ga.grad(f)(x, y, scale=2.0).tolist() == [6.0, 8.0]
        assert ga.grad(f, 1)(x, y, scale=2.0).tolist() == [2.0, 4.0]
        assert ga.grad(f, -1)(x, y, scale=2.0).tolist() == [2.0, 4.0]
        both = ga.grad(f, (1, 0))(x, y, scale=2.0)
        assert [g.tolist() for g in both] == [[2.0, 4.0], [6.0, 8.0]]
        with pytest.raises(ga.ArgumentValueError, match="no argument 2 among the 2 positional ones"):
            ga.grad(f, 2)(x, y, scale=1.0)

    def test_value_and_further_data(self):
        f = lambda x: (cubes(x), {"twice": x * 2, "note": "kept"})
        x = array(1.0, 2.0)
        (value, aux), g = ga.value_and_grad(f, has_aux=True)(x)
        assert float(value) == 9.0 and g.tolist() == [3.0, 12.0]
        assert aux["twice"].tolist() == [2.0, 4.0] and aux["note"] == "kept"
        assert not value.requires_grad and not aux["twice"].requires_grad
        g, aux = ga.grad(f, has_aux=True)(x)
        assert g.tolist() == [3.0, 12.0] and aux["note"] == "kept"
        with pytest.raises(ga.ArgumentTypeError, match="must return a tuple of two"):
            ga.grad(cubes, has_aux=True)(x)

    def test_python_and_numpy_numbers_are_arguments(self):
        assert float(ga.grad(lambda x: x * x)(3.0)) == 6.0
        assert float(ga.grad(lambda x: x * x)(np.float64(3.0))) == 6.0
        x = np.asarray([1.0, 2.0])
        assert ga.grad(cubes)(x).tolist() == [3.0, 12.0]

    def test_zeros_where_nothing_depends(self):
        x = array(1.0, 2.0, dtype=np.float32)
        g = ga.grad(lambda v: array(1.0))(x)
        assert g.tolist() == [0.0, 0.0] and g.dtype == ga.float32
        assert ga.grad(lambda v: ga.sum(ga.floor(v)))(x).tolist() == [0.0, 0.0]
        g = ga.grad(lambda v, w: ga.sum(w), (0, 1))(x, x)
        assert [part.tolist() for part in g] == [[0.0, 0.0], [1.0, 1.0]]

    def test_the_argument_itself_may_be_the_result(self):
        assert float(ga.grad(lambda x: x)(array(3.0))) == 1.0
        value, g = ga.value_and_grad(lambda x: x)(array(3.0))
        assert (float(value), float(g)) == (3.0, 1.0)

    def test_what_is_refused(self):
        x = array(1.0, 2.0)
        with pytest.raises(ga.NonScalarGradientError, match=r"must return a 0-d array[\s\S]*jacobian or vjp"):
            ga.grad(lambda v: v * 2)(x)
        with pytest.raises(ga.NonScalarGradientError):
            ga.grad(lambda v: ga.sum(v, keepdims=True))(x)
        with pytest.raises(ga.DTypeError, match="must return a real floating-point number"):
            ga.grad(lambda v: ga.sum(v) * 1j)(x)
        with pytest.raises(ga.ArgumentTypeError, match="must return one array"):
            ga.grad(lambda v: (ga.sum(v), ga.sum(v)))(x)
        with pytest.raises(ga.ArgumentTypeError, match="must return one array"):
            ga.grad(lambda v: 1.0)(x)
        for argument in (array([1, 2], dtype=np.int64), 3, "text", None):
            with pytest.raises(ga.DTypeError, match="only floating-point arrays"):
                ga.grad(lambda v: array(1.0))(argument)
        with pytest.raises(ga.ArgumentTypeError, match="cannot be given with a function"):
            ga.grad(cubes, create_graph=True)
        with pytest.raises(ga.ArgumentTypeError, match="must be a function"):
            ga.vjp(3, x)

    def test_complex_gradients_descend(self):
        z = array(3 + 4j, dtype=np.complex128)
        assert ga.grad(lambda z: ga.real(z) ** 2 + ga.imag(z) ** 2)(z).item() == 6 + 8j

    def test_leaves_of_the_user_are_left_alone(self):
        w = ga.asarray([1.0, 2.0], requires_grad=True)
        g = ga.grad(lambda x: ga.sum(x * w))(array(3.0, 4.0))
        assert w.grad is None and g.tolist() == [1.0, 2.0]
        ga.sum(g * g).backward()
        assert w.grad.tolist() == [2.0, 4.0]

    def test_inside_no_grad_derivatives_are_computed_and_not_recorded(self):
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        with ga.no_grad():
            value, g = ga.value_and_grad(cubes)(x)
            second = ga.grad(lambda v: ga.sum(ga.grad(cubes)(v)))(x)
        assert g.tolist() == [3.0, 12.0] and second.tolist() == [6.0, 12.0]
        assert not g.requires_grad and not value.requires_grad

    def test_the_argument_is_not_written(self):
        def spoil(v):
            v[0] = 0.0
            return ga.sum(v)

        x = array(1.0, 2.0)
        for given in (x, ga.asarray([1.0, 2.0], requires_grad=True) * 1):
            with pytest.raises(ga.LeafWriteError, match="argument of a function that is differentiated"):
                ga.grad(spoil)(given)
        assert x.tolist() == [1.0, 2.0]

    def test_an_error_in_the_function_leaves_nothing_behind(self):
        def fail(v):
            raise KeyError("inside")

        with pytest.raises(KeyError):
            ga.grad(fail)(array(1.0))
        assert ga.is_grad_enabled()
        assert float(ga.grad(lambda v: v * v)(array(1.0))) == 2.0


class TestNesting:
    def test_inner_and_outer_variables_are_not_confused(self):
        inner = lambda a: a * ga.grad(lambda b: a * b * b)(array(3.0))
        assert float(ga.grad(inner)(array(2.0))) == 24.0
        # The classic of forward mode: d/dx (x * d/dy (x + y)) is 1, not 2.
        one = array(1.0)
        pushed = lambda x: x * ga.jvp(lambda y: x + y, (one,), (one,))[1]
        assert float(ga.jvp(pushed, (one,), (one,))[1]) == 1.0
        assert float(ga.grad(pushed)(one)) == 1.0

    @pytest.mark.parametrize("outer", ["forward", "reverse"])
    @pytest.mark.parametrize("inner", ["forward", "reverse"])
    def test_every_order_of_modes(self, outer, inner):
        f = lambda x: ga.sum(ga.sin(x) * x[::-1])
        x = array(0.3, 1.1, 2.0)
        first = ga.jacobian(f, mode=inner)
        assert_allclose(values(ga.jacobian(first, mode=outer)(x)), values(ga.hessian(f)(x)), rtol=1e-12)

    def test_mixed_second_derivatives(self):
        f = lambda x, u: ga.sum(x * x) * ga.sum(u * u)
        x, u = array(1.0, 2.0, 3.0), array(1.0, -1.0)
        block = ga.jacobian(lambda v: ga.grad(lambda w: f(w, v))(x))(u)
        assert block.tolist() == [[4.0, -4.0], [8.0, -8.0], [12.0, -12.0]]

    def test_results_are_recorded_where_outer_arrays_are_tracked(self):
        t = ga.asarray(2.0, requires_grad=True)
        g = ga.grad(lambda x: x * x * t)(array(3.0))
        assert g.requires_grad
        g.backward()
        assert t.grad.item() == 6.0
        t.grad = None
        value, pull = ga.vjp(lambda x: x * t, array(3.0))
        pull(array(1.0))[0].backward()
        assert t.grad.item() == 1.0
        t.grad = None
        value, tangent = ga.jvp(lambda x: x * x * t, (array(3.0),), (array(1.0),))
        (tangent + value).backward()
        assert t.grad.item() == 15.0

    def test_tracked_tangents_and_cotangents_get_their_gradients(self):
        t = ga.asarray(2.0, requires_grad=True)
        ga.jvp(lambda x: x * x, (array(3.0),), (t,))[1].backward()
        assert t.grad.item() == 6.0
        t.grad = None
        ga.vjp(lambda x: x * x, array(3.0))[1](t)[0].backward()
        assert t.grad.item() == 6.0

    def test_what_was_recorded_before_is_not_walked_through(self):
        x = ga.asarray(1.0, requires_grad=True)
        y = x
        for _ in range(50):
            y = y * 1.0
        calls = []
        y.register_hook(lambda g: calls.append(g))
        ga.grad(lambda v: v * y)(array(2.0))
        assert not calls
        y.backward()
        assert x.grad.item() == 1.0 and len(calls) == 1


class TestContainers:
    def test_every_kind(self):
        x = array(1.0, 2.0)
        tree = {
            "list": [x, x * 2],
            "tuple": (x,),
            "named": Point(x, [x]),
            "data": Layer(x, x * 3),
            "ordered": OrderedDict(b=x),
            "other": [3, "text", None, array([1, 2], dtype=np.int64)],
        }
        g = ga.grad(
            lambda t: cubes(t["list"][1]) + ga.sum(t["named"].y[0]) + ga.sum(t["data"].bias * t["ordered"]["b"])
        )(tree)
        assert list(g) == list(tree)
        assert g["list"][0].tolist() == [0.0, 0.0] and g["list"][1].tolist() == [12.0, 48.0]
        assert type(g["tuple"]) is tuple and type(g["named"]) is Point
        assert g["named"].x.tolist() == [0.0, 0.0] and g["named"].y[0].tolist() == [1.0, 1.0]
        assert type(g["data"]) is Layer and g["data"].bias.tolist() == [1.0, 2.0] and g["data"].name is None
        assert type(g["ordered"]) is OrderedDict and g["ordered"]["b"].tolist() == [3.0, 6.0]
        assert g["other"] == [None, None, None, None]

    def test_containers_as_results(self):
        f = lambda x: {"square": x * x, "pair": (ga.sum(x), "text")}
        x = array(1.0, 2.0)
        value, pull = ga.vjp(f, x)
        assert value["square"].tolist() == [1.0, 4.0] and value["pair"][1] == "text"
        assert pull({"square": array(1.0, 1.0), "pair": (array(10.0), None)})[0].tolist() == [12.0, 14.0]
        value, tangent = ga.jvp(f, (x,), (array(1.0, 0.0),))
        assert tangent["square"].tolist() == [2.0, 0.0] and tangent["pair"][0].item() == 1.0
        assert tangent["pair"][1] is None
        with pytest.raises(ga.ArgumentTypeError, match="cotangent has not the structure of the result"):
            pull((array(1.0, 1.0), array(10.0)))
        with pytest.raises(ga.ArgumentTypeError, match=r"tangents\[0\] has not the structure"):
            ga.jvp(lambda t: t["a"], ({"a": x},), ([x],))

    def test_jacobian_and_hessian_of_containers(self):
        f = lambda t: {"out": t["a"] * ga.sum(t["b"])}
        t = {"a": array(1.0, 2.0), "b": array(3.0)}
        for mode in ("forward", "reverse"):
            j = ga.jacobian(f, mode=mode)(t)
            assert j["out"]["a"].tolist() == [[3.0, 0.0], [0.0, 3.0]] and j["out"]["b"].tolist() == [1.0, 2.0]
        h = ga.hessian(lambda t: ga.sum(t["a"] ** 2) * t["b"])(t)
        assert h["a"]["a"].tolist() == [[6.0, 0.0], [0.0, 6.0]]
        assert h["a"]["b"].tolist() == h["b"]["a"].tolist() == [2.0, 4.0] and h["b"]["b"].item() == 0.0

    def test_the_same_array_twice_is_two_variables(self):
        x = array(3.0)
        g = ga.grad(lambda pair: pair[0] * pair[0] * pair[1])([x, x])
        assert [part.item() for part in g] == [18.0, 9.0]


class TestJacobian:
    @pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
    def test_shapes(self, mode):
        x = array(np.arange(6.0).reshape(2, 3))
        j = ga.jacobian(lambda x: ga.sum(x * x, axis=0), mode=mode)(x)
        assert j.shape == (3, 2, 3)
        expected = np.zeros((3, 2, 3))
        for column in range(3):
            expected[column, :, column] = 2 * values(x)[:, column]
        assert_allclose(values(j), expected)
        assert ga.jacobian(lambda x: ga.sum(x), mode=mode)(array(2.0)).shape == ()
        assert ga.jacobian(lambda x: x * 2, mode=mode)(ga.zeros((0, 2))).shape == (0, 2, 0, 2)
        assert ga.jacobian(lambda x: ga.zeros(3), mode=mode)(x).tolist() == np.zeros((3, 2, 3)).tolist()

    @pytest.mark.parametrize("mode", ["forward", "reverse"])
    def test_an_infinite_derivative_stays_in_its_place(self, mode):
        # One element of the direction is 1: what the others are multiplied by does not matter.
        j = ga.jacobian(ga.sqrt, mode=mode)(array(0.0, 4.0))
        assert j.tolist() == [[np.inf, 0.0], [0.0, 0.25]]

    def test_several_arguments_and_further_data(self):
        f = lambda x, y: (x * y, "further")
        (jx, jy), aux = ga.jacobian(f, (0, 1), has_aux=True)(array(2.0), array(3.0, 4.0))
        assert jx.tolist() == [3.0, 4.0] and jy.tolist() == [[2.0, 0.0], [0.0, 2.0]] and aux == "further"

    def test_what_is_refused(self):
        with pytest.raises(ga.ArgumentValueError, match="no mode 'sideways'"):
            ga.jacobian(cubes, mode="sideways")
        with pytest.raises(ga.DTypeError, match="must be real floating-point arrays"):
            ga.jacobian(lambda z: z * z)(array(1j, dtype=np.complex128))

    def test_mixed_precision_keeps_the_dtype_of_the_argument(self):
        for mode in ("forward", "reverse"):
            j = ga.jacobian(lambda x: ga.astype(x, ga.float64) * 2.0, mode=mode)(array(1.0, 2.0, dtype=np.float32))
            assert j.dtype == ga.float32 and j.tolist() == [[2.0, 0.0], [0.0, 2.0]]


class TestProducts:
    def test_linearize_pushes_many_directions_and_runs_once(self):
        calls = []

        def f(x):
            calls.append(1)
            return ga.exp(x) * x

        x = array(0.0, 1.0)
        value, push = ga.linearize(f, x)
        assert_allclose(values(value), [0.0, np.e])
        assert_allclose(values(push(array(1.0, 0.0))), [1.0, 0.0])
        assert_allclose(values(push(array(0.0, 1.0))), [0.0, 2 * np.e])
        assert len(calls) == 1

    def test_transposes_agree(self):
        rng = np.random.default_rng(0)
        a, x, u, v = (array(rng.standard_normal(shape)) for shape in ((3, 2), 2, 3, 2))
        f = lambda x: ga.tanh(a @ x) * ga.max(x)
        tangent = ga.jvp(f, (x,), (v,))[1]
        cotangent = ga.vjp(f, x)[1](u)[0]
        assert_allclose(float(ga.sum(u * tangent)), float(ga.sum(cotangent * v)), rtol=1e-12)

    def test_pull_can_be_called_again(self):
        _value, pull = ga.vjp(lambda x, y: x * y, array(2.0), array(3.0))
        for _ in range(3):
            assert [g.item() for g in pull(array(1.0))] == [3.0, 2.0]

    def test_hvp(self):
        f = lambda x, y: ga.sum(x**3) * y
        x, y = array(1.0, 2.0), array(2.0)
        hx, hy = ga.hvp(f, (x, y), (array(1.0, 0.0), array(0.0)))
        assert hx.tolist() == [12.0, 0.0] and hy.item() == 3.0

    def test_linear_functions_have_zero_second_derivatives(self):
        x = array(1.0, 2.0)
        lin = lambda v: ga.sum(v * array(3.0, 4.0))
        value, product = ga.jvp(ga.grad(lin), (x,), (x,))
        assert value.tolist() == [3.0, 4.0] and product.tolist() == [0.0, 0.0]

    def test_shapes_dtypes_and_devices_are_checked(self):
        x = array(1.0, 2.0)
        with pytest.raises(ga.ShapeError, match=r"tangents\[0\] must have the array's shape"):
            ga.jvp(cubes, (x,), (array(1.0),))
        with pytest.raises(ga.DTypeError, match="cotangent must have the array's data type"):
            ga.vjp(cubes, x)[1](array(1.0, dtype=np.float32))
        other = "strict:device2" if str(x.device) != "strict:device2" else "cpu"
        with pytest.raises(ga.DeviceMismatchError):
            ga.jvp(cubes, (x,), (x.to_device(other),))

    def test_python_numbers_are_tangents(self):
        assert ga.jvp(lambda x: x * x, (3.0,), (1.0,))[1].item() == 6.0
        assert ga.vjp(lambda x: x * x, 3.0)[1](1.0)[0].item() == 6.0

    def test_results_have_memory_of_their_own(self):
        x, t = array(1.0, 2.0), array(1.0, 1.0)
        _value, tangent = ga.jvp(lambda v: v, (x,), (t,))
        tangent[0] = 5.0
        assert t.tolist() == [1.0, 1.0]
        g = ga.vjp(lambda v: (v, v), x)[1]((t, t))[0]
        g[0] = 7.0
        assert t.tolist() == [1.0, 1.0]

    def test_several_outputs_of_one_operation(self):
        a = array(np.asarray([[2.0, 1.0], [1.0, 3.0]]))
        f = lambda a: ga.linalg.eigh((a + a.mT) / 2).eigenvalues
        direction = array(np.asarray([[1.0, 0.0], [0.0, 0.0]]))
        step = 1e-6
        expected = (values(f(a + step * direction)) - values(f(a - step * direction))) / (2 * step)
        assert_allclose(values(ga.jvp(f, (a,), (direction,))[1]), expected, rtol=1e-8)
        first, second = ga.jvp(lambda x: ga.unstack(x * x), (array(1.0, 2.0),), (array(1.0, 1.0),))[1]
        assert (first.item(), second.item()) == (2.0, 4.0)

    def test_writes_are_followed_forward(self):
        def f(x):
            y = ga.zeros(3, dtype=ga.float64)
            y[:2] = x * x
            y[2] = x[0]
            y[1:] *= 2.0
            return y

        assert ga.jvp(f, (array(3.0, 4.0),), (array(1.0, 0.0),))[1].tolist() == [6.0, 0.0, 2.0]


class TestGradients:
    def test_of_arrays(self):
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        middle = x * x
        y = ga.sum(middle * 3)
        g = ga.grad(y, {"x": x, "middle": [middle]}, retain_graph=True)
        assert g["x"].tolist() == [6.0, 12.0] and g["middle"][0].tolist() == [3.0, 3.0]
        assert x.grad is None
        assert ga.autograd.gradients(y, x).tolist() == [6.0, 12.0]
        with pytest.raises(ga.FreedGraphError):
            ga.autograd.gradients(y, x)

    def test_with_cotangents_and_of_several(self):
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        g = ga.grad([x * 2, ga.sum(x)], x, gradient=[array(1.0, 10.0), None])
        assert g.tolist() == [3.0, 21.0]

    def test_any_order(self):
        x = ga.asarray(2.0, requires_grad=True)
        y = x**3
        for expected in (12.0, 12.0, 6.0):
            y = ga.grad(y, x, create_graph=True)
            assert y.item() == expected
        # The last is a constant: whether it was meant to be, or was computed under no_grad, nobody can tell here.
        with pytest.raises(ga.NotTrackedError, match="depends on nothing that requires grad"):
            ga.grad(y, x)

    def test_one_output_of_several(self):
        x = ga.asarray([[2.0, 0.0], [0.0, 3.0]], requires_grad=True)
        values_, vectors = ga.linalg.eigh(x)
        g = ga.grad(ga.sum(values_ * values_), [values_, vectors, x])
        assert g[0].tolist() == [4.0, 6.0] and not np.any(values(g[1])) and g[2].tolist() == [[4.0, 0.0], [0.0, 6.0]]

    def test_what_is_refused(self):
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        with pytest.raises(ga.NotTrackedError, match=r"xs\[1\] is not tracked"):
            ga.grad(ga.sum(x), [x, array(1.0)])
        with pytest.raises(ga.NonScalarGradientError):
            ga.grad(x * x, x)


class TestStopGradient:
    def test_in_both_modes(self):
        f = lambda x: x * ga.stop_gradient(x)
        assert ga.grad(f)(array(3.0)).item() == 3.0
        assert ga.jvp(f, (array(3.0),), (array(1.0),))[1].item() == 3.0
        stopped = ga.stop_gradient({"a": ga.asarray(1.0, requires_grad=True), "n": 3})
        assert not stopped["a"].requires_grad and stopped["n"] == 3
