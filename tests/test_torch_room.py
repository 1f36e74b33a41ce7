"""PyTorch's spelling: what one who knows PyTorch types, what it prints, and where a name that is not there leads."""

import copy
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import gradarray as ga
import gradarray.torch as torch

X = "torch.tensor([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])"

THREE_AXES = """\
tensor([[[ 0.0000,  1.5000,  3.0000,  4.5000,  6.0000,  7.5000,  9.0000,
          10.5000, 12.0000, 13.5000, 15.0000, 16.5000, 18.0000, 19.5000,
          21.0000],
         [22.5000, 24.0000, 25.5000, 27.0000, 28.5000, 30.0000, 31.5000,
          33.0000, 34.5000, 36.0000, 37.5000, 39.0000, 40.5000, 42.0000,
          43.5000]]])"""

#: Expressions and what PyTorch prints of them; `x` is the tensor above.
PRINTED = [
    # what a tensor is
    ("x", "tensor([[3., 1., 2.],\n        [6., 5., 4.]])"),
    ("(x.shape, x.size(0), x.dim(), x.numel(), len(x))", "(torch.Size([2, 3]), 2, 2, 6, 2)"),
    ("x.shape[1:] + (4,)", "torch.Size([3, 4])"),
    ("(x.dtype, x.long().dtype, (x > 1).dtype)", "(torch.float32, torch.int64, torch.bool)"),
    ("(x.is_leaf, x.requires_grad, x.grad, x.grad_fn)", "(True, False, None, None)"),
    ("(x[0, 1].item(), f'{x[0, 1]:.2f}', f'{x[0, 1]}')", "(1.0, '1.00', '1.0')"),
    # numbers
    ("torch.tensor(2.0)", "tensor(2.)"),
    ("torch.tensor([1, 2, 3])", "tensor([1, 2, 3])"),
    ("torch.tensor([1, 2.5, True])", "tensor([1.0000, 2.5000, 1.0000])"),
    ("torch.tensor([True, False])", "tensor([ True, False])"),
    ("torch.tensor([1.5, -20.25, 300.0])", "tensor([  1.5000, -20.2500, 300.0000])"),
    ("torch.tensor([1e-5, 1.0])", "tensor([1.0000e-05, 1.0000e+00])"),
    ("torch.tensor([1000.0, 1.0])", "tensor([1000.,    1.])"),
    ("torch.tensor([1e5, 1.0])", "tensor([1.0000e+05, 1.0000e+00])"),
    ("torch.tensor([float('nan'), float('inf'), -1.5])", "tensor([    nan,     inf, -1.5000])"),
    ("torch.tensor([0.0, -0.0])", "tensor([0., -0.])"),
    ("torch.tensor([1 + 2j, 3 - 4.5j])", "tensor([1.+2.0000j, 3.-4.5000j])"),
    ("torch.tensor([])", "tensor([])"),
    ("torch.zeros(0, 2, dtype=torch.int64)", "tensor([], size=(0, 2), dtype=torch.int64)"),
    ("torch.ones(2, dtype=torch.float64)", "tensor([1., 1.], dtype=torch.float64)"),
    ("torch.tensor(1.5, requires_grad=True)", "tensor(1.5000, requires_grad=True)"),
    ("torch.tensor([2.0], requires_grad=True) * 2", "tensor([4.], grad_fn=<MulBackward0>)"),
    ("torch.arange(2000)", "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])"),
    ("torch.arange(30).view(1, 2, 15) * 1.5", THREE_AXES),
    # creation
    ("torch.arange(6.0)", "tensor([0., 1., 2., 3., 4., 5.])"),
    ("torch.arange(1, 2, 0.25)", "tensor([1.0000, 1.2500, 1.5000, 1.7500])"),
    ("torch.linspace(0, 1, 3)", "tensor([0.0000, 0.5000, 1.0000])"),
    ("torch.eye(2)", "tensor([[1., 0.],\n        [0., 1.]])"),
    ("(torch.zeros(2, 3).shape, torch.ones((2,)).shape)", "(torch.Size([2, 3]), torch.Size([2]))"),
    ("(torch.full((2,), 3), torch.full((2,), 2.5))", "(tensor([3, 3]), tensor([2.5000, 2.5000]))"),
    ("torch.full_like(x, 2)[0]", "tensor([2., 2., 2.])"),
    ("torch.from_numpy(np.arange(3.0))", "tensor([0., 1., 2.], dtype=torch.float64)"),
    ("torch.tensor(np.arange(3))", "tensor([0, 1, 2])"),
    ("x.new_zeros(2)", "tensor([0., 0.])"),
    # arithmetic and its data types
    ("(x + 1, 1 - x)[1][0]", "tensor([-2.,  0., -1.])"),
    ("torch.tensor([7, -7]) / 2", "tensor([ 3.5000, -3.5000])"),
    ("(torch.tensor([7, -7]) // 2, torch.tensor([7, -7]) % 3)", "(tensor([ 3, -4]), tensor([1, 2]))"),
    ("torch.div(torch.tensor([7, -7]), 2, rounding_mode='trunc')", "tensor([ 3, -3])"),
    ("torch.tensor([1, 2]) * 2.5", "tensor([2.5000, 5.0000])"),
    ("torch.tensor([1, 2]) + torch.tensor([1.5, 2.5])", "tensor([2.5000, 4.5000])"),
    ("torch.ones(2) * torch.tensor(2.0, dtype=torch.float64)", "tensor([2., 2.])"),
    ("torch.sin(torch.tensor([0, 1]))", "tensor([0.0000, 0.8415])"),
    ("torch.result_type(torch.ones(2, dtype=torch.int32), 2.5)", "torch.float32"),
    ("torch.promote_types(torch.int64, torch.float32)", "torch.float32"),
    ("x @ x.T", "tensor([[14., 31.],\n        [31., 77.]])"),
    ("(x == 2, x[0] > 1)[1]", "tensor([ True, False,  True])"),
    ("(~(x > 2) & (x < 5))[0]", "tensor([False,  True,  True])"),
    ("torch.tensor([1.2345, 2.5]).round(decimals=2)", "tensor([1.2300, 2.5000])"),
    ("x.clamp(2, 4)[0]", "tensor([3., 2., 2.])"),
    ("x.add(x, alpha=2)[0]", "tensor([9., 3., 6.])"),
    ("torch.relu(x - 2)[0]", "tensor([1., 0., 0.])"),
    ("torch.sigmoid(torch.tensor([0.0, 100.0]))", "tensor([0.5000, 1.0000])"),
    ("torch.where(x > 2, x, 0.0)[0]", "tensor([3., 0., 0.])"),
    ("torch.where(x > 2, 1, 0)[0]", "tensor([1, 0, 0])"),
    ("torch.maximum(x, torch.tensor(3.0))[0]", "tensor([3., 3., 3.])"),
    ("(torch.equal(x, x), torch.allclose(x, x + 1e-9))", "(True, True)"),
    # reductions
    ("(x.sum(), x.sum(dim=0), x.sum(1))", "(tensor(21.), tensor([9., 6., 6.]), tensor([ 6., 15.]))"),
    ("x.mean(dim=1, keepdim=True)", "tensor([[2.],\n        [5.]])"),
    ("x.sum(axis=1, keepdims=True).shape", "torch.Size([2, 1])"),
    ("(x.std(), x.var(unbiased=False))", "(tensor(1.8708), tensor(2.9167))"),
    ("x.max()", "tensor(6.)"),
    ("x.max(dim=1)", "torch.return_types.max(\nvalues=tensor([3., 6.]),\nindices=tensor([0, 0]))"),
    ("torch.max(x, x.flip(1))[0]", "tensor([3., 1., 3.])"),
    ("(x.argmax(), x.argmax(dim=1))", "(tensor(3), tensor([0, 0]))"),
    ("(x.median(), x.median(1).indices)", "(tensor(3.), tensor([2, 1]))"),
    ("(x.norm(), torch.norm(x, p=1, dim=1))", "(tensor(9.5394), tensor([ 6., 15.]))"),
    ("torch.ones(3, dtype=torch.uint8).sum()", "tensor(3)"),
    ("x.softmax(1)[0]", "tensor([0.6652, 0.0900, 0.2447])"),
    (
        "(x.logsumexp(1), torch.log_softmax(x, dim=0)[0])",
        "(tensor([3.4076, 6.4076]), tensor([-3.0486, -4.0181, -2.1269]))",
    ),
    ("(x.any(0), x.all())", "(tensor([True, True, True]), tensor(True))"),
    # order
    ("x.sort(1).values[0]", "tensor([1., 2., 3.])"),
    ("torch.sort(x, descending=True).indices", "tensor([[0, 2, 1],\n        [0, 1, 2]])"),
    ("x.topk(2)[0]", "tensor([[3., 2.],\n        [6., 5.]])"),
    ("torch.unique(torch.tensor([3, 1, 3]), return_counts=True)", "(tensor([1, 3]), tensor([1, 2]))"),
    ("x.cumsum(1)[0]", "tensor([3., 4., 6.])"),
    # shapes
    (
        "(x.view(3, 2).shape, x.view(-1).shape, x.flatten().shape)",
        "(torch.Size([3, 2]), torch.Size([6]), torch.Size([6]))",
    ),
    ("(x.unsqueeze(1).shape, x.unsqueeze(-1).squeeze().shape)", "(torch.Size([2, 1, 3]), torch.Size([2, 3]))"),
    ("torch.zeros(2, 3, 4, 5).permute(0, 3, 1, 2).shape", "torch.Size([2, 5, 3, 4])"),
    ("torch.zeros(2, 3, 4, 5).transpose(1, -1).shape", "torch.Size([2, 5, 4, 3])"),
    ("torch.zeros(2, 3, 4).flatten(1).shape", "torch.Size([2, 12])"),
    ("(x.expand(4, -1, -1).shape, x.repeat(2, 1).shape)", "(torch.Size([4, 2, 3]), torch.Size([4, 3]))"),
    ("torch.cat([x, x], dim=1)[0]", "tensor([3., 1., 2., 3., 1., 2.])"),
    ("torch.stack((x, x), dim=2).shape", "torch.Size([2, 3, 2])"),
    ("[part.tolist() for part in x.split(2, dim=1)]", "[[[3.0, 1.0], [6.0, 5.0]], [[2.0], [4.0]]]"),
    ("(x.chunk(2)[1], x.unbind(1)[2])", "(tensor([[6., 5., 4.]]), tensor([2., 4.]))"),
    ("x.gather(1, torch.tensor([[0], [2]]))", "tensor([[3.],\n        [4.]])"),
    (
        "(x.flip(1)[0], x.roll(1, 1)[0], x.tril()[0])",
        "(tensor([2., 1., 3.]), tensor([2., 3., 1.]), tensor([3., 0., 0.]))",
    ),
    ("(x.diagonal(), torch.diag(torch.ones(2))[0])", "(tensor([3., 5.]), tensor([1., 0.]))"),
    ("(x[x > 3], x[:, 1], x[[0, 1], [1, 2]])", "(tensor([6., 5., 4.]), tensor([1., 5.]), tensor([1., 4.]))"),
    ("(x > 4).nonzero()", "tensor([[1, 0],\n        [1, 1]])"),
    ("x.masked_fill(x > 2, 0.0)[0]", "tensor([0., 1., 2.])"),
    ("torch.meshgrid(torch.arange(2), torch.arange(3), indexing='ij')[0].shape", "torch.Size([2, 3])"),
    ("torch.einsum('ij,kj->ik', x, x)[0]", "tensor([14., 31.])"),
    # modules
    ("torch.linalg.solve(torch.eye(2) * 2, torch.ones(2))", "tensor([0.5000, 0.5000])"),
    ("(torch.linalg.norm(x), torch.linalg.vector_norm(x, dim=1))", "(tensor(9.5394), tensor([3.7417, 8.7750]))"),
    ("torch.linalg.eigh(torch.diag(torch.tensor([1.0, 2.0]))).eigenvalues", "tensor([1., 2.])"),
    ("torch.fft.rfft(torch.arange(4.0))", "tensor([ 6.+0.j, -2.+2.j, -2.+0.j])"),
    # data types and devices
    ("(torch.device('cpu'), torch.device('cuda:1'))", "(device(type='cpu'), device(type='cuda', index=1))"),
    ("(str(torch.device('cuda', 0)), torch.device('cuda') == torch.device('cuda:0'))", "('cuda:0', False)"),
    ("(x.to(torch.float64).dtype, x.to('cpu', torch.int32).dtype)", "(torch.float64, torch.int32)"),
    ("(x.double().dtype, x.half().dtype, x.int().dtype)", "(torch.float64, torch.float16, torch.int32)"),
    # in place
    ("x.zero_()[0]", "tensor([0., 0., 0.])"),
    ("x.add_(1).mul_(2).clamp_(5, 9)[0]", "tensor([8., 5., 6.])"),
    ("(x.copy_(torch.tensor([1, 2, 3])), x.sqrt_(), x.fill_(7))[0][0]", "tensor([7., 7., 7.])"),
]

#: Functions of w = [1, -2] and PyTorch's gradients.
GRADIENTS = [
    ("(w**2).sum()", [2.0, -4.0]),
    ("(w * 3).mean()", [1.5, 1.5]),
    ("w.max(0)[0]", [1.0, 0.0]),
    ("torch.relu(w * torch.tensor([0.0, 1.0])).sum()", [0.0, 0.0]),
    ("(w @ w) / 2", [1.0, -2.0]),
    ("w.norm()", [0.4472136, -0.8944272]),
    ("w.sort().values[0]", [0.0, 1.0]),
    ("w.view(1, -1).expand(3, 2).sum()", [3.0, 3.0]),
    ("torch.cat([w, w * 2]).sum()", [3.0, 3.0]),
    ("w.clone().add_(1).mul_(w).sum()", [3.0, -3.0]),
    ("torch.where(w > 0, w, w * 0.5).sum()", [1.0, 0.5]),
    ("w.double().softmax(0)[0]", [0.0451767, -0.0451767]),
    ("w.logsumexp(0)", [0.9525741, 0.0474259]),
]


def evaluate(expression, module, **names):
    """The value of an expression of the tables in `torch`, this one or PyTorch."""
    known = {"torch": module, "np": np, **names}
    known["x"] = eval(X, known)
    return eval(expression, known)


@pytest.mark.parametrize(("expression", "text"), PRINTED, ids=[expression for expression, _ in PRINTED])
def test_prints_what_pytorch_prints(expression, text):
    assert repr(evaluate(expression, torch)) == text


def test_the_tables_are_pytorchs():
    pytorch = pytest.importorskip("torch", reason="PyTorch itself is not installed")
    assert [repr(evaluate(expression, pytorch)) for expression, _ in PRINTED] == [text for _, text in PRINTED]
    for expression, gradient in GRADIENTS:
        w = pytorch.tensor([1.0, -2.0], requires_grad=True)
        evaluate(expression, pytorch, w=w).backward()
        np.testing.assert_allclose(w.grad.tolist(), gradient, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(("expression", "gradient"), GRADIENTS, ids=[expression for expression, _ in GRADIENTS])
def test_gradients_are_pytorchs_on_every_device(expression, gradient, device):
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    evaluate(expression, torch, w=w).backward()
    assert isinstance(w.grad, torch.Tensor) and w.grad.device == w.device == torch.device(device)
    np.testing.assert_allclose(w.grad.tolist(), gradient, rtol=1e-5, atol=1e-7)


# --- gradients ---------------------------------------------------------------------------------------------------


def test_gradients_accumulate_until_they_are_zeroed():
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    for factor in (1, 2):
        (w * w).sum().backward()
        assert w.grad.tolist() == [2.0 * factor, -4.0 * factor]
    assert w.grad is w.grad
    assert w.grad.zero_() is w.grad
    assert w.grad.tolist() == [0.0, 0.0]
    w.grad = None
    assert w.grad is None
    w.grad = torch.ones(2)
    assert w.grad.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("switch", [torch.no_grad, torch.inference_mode])
def test_nothing_is_recorded_where_it_is_switched_off(switch):
    w = torch.ones(2, requires_grad=True)
    with switch():
        assert not (w * 2).requires_grad and not torch.is_grad_enabled()
        with torch.enable_grad():
            assert (w * 2).requires_grad

    @switch()
    def called():
        return w * 2

    assert not called().requires_grad
    assert (w * 2).requires_grad
    assert torch.no_grad(lambda: w * 2)().requires_grad is False
    with torch.set_grad_enabled(False):
        assert not (w * 2).requires_grad


def test_detached_values_share_memory_and_have_no_history():
    w = torch.ones(2, requires_grad=True)
    y = w * 3
    z = y.detach()
    assert not z.requires_grad and z.grad_fn is None and z.tolist() == [3.0, 3.0]
    assert y.grad_fn is not None and y.grad_fn.next_functions[0][0].name() == "AccumulateGrad"
    assert repr(y.grad_fn).startswith("<MulBackward0 object at ")
    w.data -= 0.5
    assert w.tolist() == [0.5, 0.5] and w.requires_grad and w.is_leaf
    w.data = torch.tensor([7, 8])
    assert w.tolist() == [7.0, 8.0] and w.dtype == torch.float32


def test_a_training_loop_as_pytorch_users_write_it(device):
    torch.manual_seed(1)
    inputs = torch.randn(50, 3)
    targets = inputs @ torch.tensor([[1.0], [-2.0], [0.5]]) + 3
    weight, bias = torch.zeros(3, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
    losses = []
    for _ in range(120):
        loss = ((inputs @ weight + bias - targets) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for parameter in (weight, bias):
                parameter -= 0.1 * parameter.grad
                parameter.grad.zero_()
        losses.append(loss.item())
    assert losses[-1] < 1e-6 * losses[0]
    np.testing.assert_allclose(weight.flatten().tolist(), [1.0, -2.0, 0.5], atol=1e-2)


def test_hooks_and_kept_gradients():
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.retain_grad()
    handle = x.register_hook(lambda g: g * 10)
    (y * y).backward()
    assert y.grad.item() == 12.0 and x.grad.item() == 360.0
    handle.remove()


def test_gradients_without_accumulating():
    x, y = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    first = torch.autograd.grad(x**3, x, create_graph=True)[0]
    assert torch.autograd.grad(first, x)[0].item() == 12.0 and x.grad is None
    with pytest.raises(ga.NotTrackedError, match=r"inputs\[1\].*\n.*\n.*allow_unused"):
        torch.autograd.grad(x * 2, (x, y))
    assert torch.autograd.grad(x * 2, (x, y), allow_unused=True)[1] is None
    assert torch.autograd.grad(x * 2, (x, y), materialize_grads=True)[1].item() == 0.0
    torch.autograd.backward([x * y, x], [torch.tensor(1.0), torch.tensor(10.0)])
    assert (x.grad.item(), y.grad.item()) == (13.0, 2.0)


def test_derivatives_of_functions():
    x = torch.tensor([1.0, 2.0])

    def cube(t):
        return (t**3).sum()

    assert torch.func.grad(cube)(x).tolist() == [3.0, 12.0]
    gradient, value = torch.func.grad_and_value(cube)(x)
    assert (gradient.tolist(), value.item()) == ([3.0, 12.0], 9.0)
    assert torch.func.hessian(cube)(x).tolist() == [[6.0, 0.0], [0.0, 12.0]]
    for jacobian in (torch.func.jacrev, torch.func.jacfwd):
        assert jacobian(lambda t: t * t)(x).tolist() == [[2.0, 0.0], [0.0, 4.0]]
    value, pull = torch.func.vjp(torch.square, x)
    assert (value.tolist(), pull(torch.ones(2))[0].tolist()) == ([1.0, 4.0], [2.0, 4.0])
    assert torch.func.jvp(torch.square, (x,), (torch.ones(2),))[1].tolist() == [2.0, 4.0]
    assert torch.func.linearize(torch.square, x)[1](torch.ones(2)).tolist() == [2.0, 4.0]
    functional = torch.autograd.functional
    assert functional.jacobian(torch.square, x).tolist() == [[2.0, 0.0], [0.0, 4.0]]
    assert functional.hessian(cube, x).tolist() == [[6.0, 0.0], [0.0, 12.0]]
    assert functional.hvp(cube, x, torch.ones(2))[1].tolist() == [6.0, 12.0]
    assert functional.vjp(torch.square, x, torch.ones(2))[1].tolist() == [2.0, 4.0]
    assert functional.jvp(torch.square, x, torch.ones(2))[1].tolist() == [2.0, 4.0]
    assert functional.jacobian(torch.mul, (x, x))[1].tolist() == [[1.0, 0.0], [0.0, 2.0]]


# --- in place ----------------------------------------------------------------------------------------------------


def test_views_share_memory(device):
    x = torch.zeros(2, 3)
    x.view(-1)[1] = 5.0
    x.T[2, 1] = 7
    x[0] += 1
    x.unsqueeze(0).add_(1)
    assert x.tolist() == [[2.0, 7.0, 2.0], [1.0, 1.0, 8.0]]
    with pytest.raises(ga.CopyRequiredError, match=r"(?s)view\(\).*Fix: x\.reshape"):
        x.T.view(-1)
    assert x.T.contiguous().view(-1).tolist() == [2.0, 1.0, 7.0, 1.0, 2.0, 8.0]
    assert x.T.contiguous().T.contiguous().tolist() == x.tolist()


def test_leaves_are_not_written_while_operations_are_recorded():
    w = torch.ones(2, requires_grad=True)
    for write in (lambda: w.zero_(), lambda: w.mul_(2), lambda: w[0].fill_(3), lambda: w.__iadd__(1)):
        with pytest.raises(ga.LeafWriteError):
            write()
    with torch.no_grad():
        assert w.zero_() is w
    assert w.tolist() == [0.0, 0.0]
    y = w * 2
    y.add_(1).mul_(w + 1)
    y.sum().backward()
    assert w.grad.tolist() == [3.0, 3.0]


def test_a_value_that_backward_needs_is_not_overwritten_in_silence():
    w = torch.ones(2, requires_grad=True)
    y = w * w
    with torch.no_grad():
        w.fill_(5.0)
    with pytest.raises(ga.OverwrittenValueError):
        y.sum().backward()


def test_dtype_and_shape_stay_in_place():
    with pytest.raises(ga.DTypeError, match="add_"):
        torch.tensor([1, 2]).add_(1.5)
    with pytest.raises(ga.DTypeError):
        x = torch.tensor([1, 2])
        x /= 2
    with pytest.raises(ga.ShapeError, match=r"(?s)add_\(\).*Fix: write x = x.add"):
        torch.ones(2).add_(torch.ones(3, 2))
    x = torch.ones(2)
    x += torch.ones(2, dtype=torch.float64)
    assert x.dtype == torch.float32


# --- NumPy, devices, data types ----------------------------------------------------------------------------------


def test_memory_is_shared_with_numpy():
    values = np.array([1.0, 2.0])
    shared, copied = torch.from_numpy(values), torch.tensor(values)
    values[0] = 9.0
    assert (shared.tolist(), copied.tolist()) == ([9.0, 2.0], [1.0, 2.0])
    assert np.shares_memory(shared.numpy(), values) and np.shares_memory(torch.as_tensor(values).numpy(), values)
    with pytest.raises(ga.ArgumentTypeError, match=r"torch\.tensor"):
        torch.from_numpy([1.0])
    tracked = torch.ones(2, requires_grad=True)
    with pytest.raises(ga.TrackedConversionError, match=r"x\.detach\(\)\.numpy\(\)"):
        tracked.numpy()
    assert tracked.numpy(force=True).tolist() == [1.0, 1.0]
    assert isinstance(values * shared, torch.Tensor) and isinstance(np.sin(shared), torch.Tensor)
    assert np.concatenate([shared, shared]).tolist() == [9.0, 2.0, 9.0, 2.0]


def test_arrays_of_gradarray_go_in_and_out():
    x = ga.asarray([1.0, 2.0], requires_grad=True)
    t = torch.as_tensor(x)
    (t * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0] and t.array is x
    assert torch.tensor(x).requires_grad is False
    assert isinstance(t + x, torch.Tensor) and isinstance(ga.sum((t * 2).array), ga.Array)
    with pytest.raises(ga.ForeignArrayError):
        ga.sum(t)


def test_tensors_are_created_and_moved_where_they_are_wanted(device):
    place = torch.device(device)
    assert torch.ones(2).device == torch.randn(2).device == torch.tensor([1]).device == place
    host = torch.ones(2, device="cpu")
    moved = host.to(place)
    assert moved.device == place and moved.to(host).device == host.device == torch.device("cpu")
    assert moved.to(place) is moved and host.cpu() is host
    assert moved.cpu().numpy().tolist() == [1.0, 1.0]
    assert torch.zeros_like(moved).device == moved.new_ones(1).device == place
    with torch.device("cpu"):
        assert torch.ones(2).device.type == "cpu" and torch.get_default_device() == torch.device("cpu")
    if str(place) != "cpu":
        assert f"device='{place}'" in repr(moved)
        with pytest.raises(
            RuntimeError, match="(?s)^Expected all tensors to be on the same device.*x2.to\\(x1.device\\)"
        ):
            host + moved
        with pytest.raises(ga.DeviceMismatchError, match="Expected all tensors"):
            torch.cat([host, moved])
        with pytest.raises(ga.DeviceMismatchError, match="Expected all tensors"):
            host[0] = moved[0]


def test_a_device_that_is_not_there():
    assert torch.device("cuda:77").index == 77
    with pytest.raises(ga.UnknownDeviceError, match="use one of"):
        torch.ones(2, device="mps")
    assert torch.cuda.is_available() == (torch.cuda.device_count() > 0)
    assert torch.backends.mps.is_available() is False


def test_the_default_data_type_can_be_set():
    assert torch.get_default_dtype() is torch.float32
    try:
        torch.set_default_dtype(torch.float64)
        assert torch.ones(1).dtype is torch.tensor(1.5).dtype is torch.randn(1).dtype is torch.float64
        assert repr(torch.tensor(1.5)) == "tensor(1.5000)" and torch.tensor(1j).dtype is torch.complex128
    finally:
        torch.set_default_dtype(torch.float32)
    with pytest.raises(ga.DTypeError, match="set_default_dtype"):
        torch.set_default_dtype(torch.int64)
    assert ga.asarray(1.5).dtype == ga.float64  # outside nothing changes


def test_what_pytorch_refuses_is_refused():
    with pytest.raises(ga.DTypeError, match=r"(?s)mean\(\).*float\(\)"):
        torch.tensor([1, 2]).mean()
    with pytest.raises(ga.DTypeError, match=r"(?s)matmul\(\).*other\.to\(torch\.float32\)"):
        torch.ones(2, 2) @ torch.ones(2, 2, dtype=torch.float64)
    with pytest.raises(ga.DTypeError):
        torch.tensor([1, 2], requires_grad=True)
    with pytest.raises(ga.ShapeError, match=r"mm\(\)"):
        torch.mm(torch.ones(2), torch.ones(2))
    with pytest.raises(TypeError):
        torch.ones(2) + "a"
    with pytest.raises(TypeError, match="out"):
        torch.zeros(2, out=torch.ones(2))
    assert (torch.ones(2) == None) is False  # noqa: E711
    with pytest.raises(ga.ArgumentValueError, match="dim"):
        torch.unique(torch.ones(2, 2), dim=0)
    with pytest.raises(ga.ArgumentTypeError, match="memory_format"):
        torch.ones(2).to("cpu", memory_format=None)


# --- chance ------------------------------------------------------------------------------------------------------


def test_random_numbers_are_reproducible(device):
    def draw():
        torch.manual_seed(7)
        return [
            torch.randn(2, 3),
            torch.rand(4),
            torch.randint(0, 10, (5,)),
            torch.randperm(6),
            torch.normal(0.0, 1.0, (2,)),
        ]

    first, second = draw(), draw()
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    assert [x.dtype for x in first] == [torch.float32] * 2 + [torch.int64] * 2 + [torch.float32]
    assert not torch.equal(torch.randn(2, 3), first[0])
    assert sorted(first[3].tolist()) == list(range(6)) and torch.initial_seed() == 7


def test_random_numbers_have_their_distributions():
    torch.manual_seed(3)
    normal, even = torch.randn(20000), torch.rand(20000, dtype=torch.float64)
    assert abs(normal.mean().item()) < 0.05 and abs(normal.std().item() - 1) < 0.05
    assert even.min().item() >= 0 and even.max().item() < 1 and abs(even.mean().item() - 0.5) < 0.02
    assert set(torch.randint(3, (100,)).tolist()) == {0, 1, 2}
    assert set(torch.bernoulli(torch.tensor([0.0, 1.0]).repeat(50)).view(50, 2).sum(0).tolist()) == {0.0, 50.0}
    assert torch.randn_like(even).dtype == torch.float64 and torch.rand_like(normal).shape == (20000,)
    assert torch.empty(3).uniform_(2, 3).min().item() >= 2 and torch.zeros(3).normal_().abs().min().item() > 0
    assert torch.randn(2, requires_grad=True).is_leaf
    with pytest.raises(ga.DTypeError, match="randint"):
        torch.randn(2, dtype=torch.int64)


def test_a_generator_of_ones_own():
    generator = torch.Generator().manual_seed(5)
    torch.manual_seed(1)
    first = torch.randn(3, generator=generator)
    assert torch.equal(first, torch.randn(3, generator=torch.Generator().manual_seed(5)))
    assert torch.equal(torch.randn(3), (torch.manual_seed(1), torch.randn(3))[1])


# --- names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("fmod", "use gradarray.remainder"),
        ("permute_dims", "the standard's function is gradarray.permute_dims"),
        ("vecdot", "the standard's function is gradarray.vecdot"),
        ("inverse", "use gradarray.linalg.inv"),
        ("erf", "use gradarray.special.erf"),
        ("compile", "use the function itself"),
        ("no_such_thing", "nor has gradarray a function of that name"),
    ],
)
def test_a_name_that_is_not_there_leads_to_the_standards(name, advice):
    with pytest.raises(AttributeError, match=f"^gradarray.torch has no '{name}'.*{re.escape(advice)}"):
        getattr(torch, name)
    with pytest.raises(AttributeError, match=f"a tensor has no '{name}'"):
        getattr(torch.ones(2), name)
    assert not hasattr(torch, name)


def test_names_in_modules_and_in_place():
    with pytest.raises(AttributeError, match=r"gradarray\.torch\.linalg has no 'lstsq'"):
        _ = torch.linalg.lstsq
    with pytest.raises(AttributeError, match=r"gradarray\.torch\.fft has no 'fft2'"):
        _ = torch.fft.fft2
    with pytest.raises(AttributeError, match=r"gradarray\.torch\.cuda has no 'Stream'"):
        _ = torch.cuda.Stream
    with pytest.raises(AttributeError, match=r"use gradarray's x\[index\] = value"):
        _ = torch.ones(2).scatter_


def test_what_the_messages_name_is_there():
    from gradarray.torch import _missing

    for name, advice in _missing._INSTEAD.items():
        assert not hasattr(torch, name), name
        for path in re.findall(r"(gradarray|torch|numpy)((?:\.\w+)+)", advice):
            found = {"gradarray": ga, "torch": torch, "numpy": np}[path[0]]
            for part in path[1][1:].split("."):
                found = getattr(found, part)


def test_pytorch_is_not_needed_and_the_core_does_not_know_the_room():
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "import gradarray\n"
        "assert not [name for name in sys.modules if name.startswith('gradarray.torch')]\n"
        "import gradarray.torch as torch\n"
        "print((torch.ones(2) * 2).sum())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("tensor(4.)\n", 0), done.stderr
    assert not hasattr(ga.asarray(1.0), "unsqueeze")


def test_tensors_are_copied_and_pickled():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    w.sum().backward()
    for other in (copy.deepcopy(w), pickle.loads(pickle.dumps(w))):
        assert other.requires_grad and other.is_leaf and torch.equal(other.detach(), w.detach())
        assert other.grad.tolist() == [1.0, 1.0] and other.array is not w.array
    for value in (torch.float32, torch.device("cuda:1"), torch.Size([2])):
        assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(torch.int64)) is torch.int64


def test_the_print_options():
    try:
        torch.set_printoptions(precision=2, threshold=5, edgeitems=1, linewidth=40)
        assert repr(torch.tensor([1.23456, 2.0])) == "tensor([1.23, 2.00])"
        assert repr(torch.arange(10)) == "tensor([0,  ..., 9])"
        torch.set_printoptions(sci_mode=True)
        assert repr(torch.tensor([1.5])) == "tensor([1.50e+00])"
    finally:
        torch.set_printoptions(precision=4, threshold=1000, edgeitems=3, linewidth=80)
