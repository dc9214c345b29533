"""Functions of PyTorch have derived gradients."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import redexter

MODEL = redexter.load("""
def loss {n} (v : array n real) (p : real * array n real) (k : int) : real :=
  ifold n (fun acc i => acc + v[i] * v[i] * (snd p)[i] * fst p) 0 + real k
def gradient {n} (v : array n real) (p : real * array n real) (k : int) : real * array n real :=
  grad (fun q => loss v q k) p
def both {n} (v : array n real) (p : real * array n real) (k : int) : array n real * (real * array n real) :=
  (grad (fun u => loss u p k) v, grad (fun q => loss v q k) p)
def turned {n} (v : array n real) (p : real * array n real) (k : int) : (real * array n real) * array n real :=
  (grad (fun q => loss v q k) p, grad (fun u => loss u p k) v)
""")


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="there is PyTorch")
def test_without_pytorch_that_is_said() -> None:
    with pytest.raises(ImportError, match="torch"):
        MODEL.loss.torch(MODEL.gradient)


def test_gradients() -> None:
    torch = pytest.importorskip("torch", reason="there is no PyTorch")
    loss = MODEL.loss.torch(MODEL.both.apply("fastGradient"), by=["v", "p"])
    v = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    a = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    w = torch.tensor([1.0, -1.0, 0.5], dtype=torch.float64, requires_grad=True)
    found = 3 * loss(v, (a, w), 7)
    found.backward()
    other = 3 * ((v * v * w * a).sum() + 7)
    expected = torch.autograd.grad(other, (v, a, w))
    assert found.item() == other.item()
    assert all(torch.allclose(own.grad, wanted, rtol=1e-14) for own, wanted in zip((v, a, w), expected, strict=True))
    assert torch.autograd.gradcheck(lambda v, a, w: loss(v, p=(a, w), k=7), (v, a, w))
    # The parts in the order of the names, which needn't be that of the arguments.
    turned = MODEL.loss.torch(MODEL.turned.apply("fastGradient"), by=["p", "v"])
    assert torch.autograd.gradcheck(lambda v, a, w: turned(v, (a, w), 7), (v, a, w))
    # Only by the second argument, which the types tell.
    own = MODEL.loss.torch(MODEL.gradient)
    a.grad = None
    own(v.detach(), (a, w), 1).backward()
    assert torch.allclose(a.grad, (v * v * w).sum(), rtol=1e-14)


def test_no_gradient_is_lost_or_wrong() -> None:
    torch = pytest.importorskip("torch", reason="there is no PyTorch")
    model = redexter.load("""
def loss {n} (x w : array n real) (b : real) : real := ifold n (fun acc i => acc + tanh (w[i] * x[i] + b)) 0
def gradient {n} (x w : array n real) (b : real) : array n real * real := grad (fun (u, c) => loss x u c) (w, b)
""")
    loss = model.loss.torch(model.gradient.apply("fastGradient"), by=["w", "b"])
    x, w = torch.rand(3, dtype=torch.float64), torch.rand(3, dtype=torch.float64, requires_grad=True)
    b = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    # A tensor that was changed meanwhile.
    value = loss(x, w, b)
    x.mul_(5.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        value.backward()
    # An array of NumPy's that was: the derivative is that of what was given.
    given = np.array([1.0, 2.0, 3.0])
    value = loss(given, w, b)
    given *= 5.0
    value.backward()
    other = torch.tanh(w * torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64) + b).sum()
    assert torch.allclose(w.grad, torch.autograd.grad(other, w)[0], rtol=1e-12)
    # A number has no gradient.
    w.grad = None
    loss(x, w, 0.5).backward()
    assert w.grad is not None and w.grad.shape == (3,)
    # Who wants another one is told.
    moving = torch.rand(3, dtype=torch.float64, requires_grad=True)
    with pytest.raises(redexter.InputError, match="`x` requires a gradient, but `gradient` is by `w`, `b` alone"):
        loss(moving, w, b)
    with torch.no_grad():
        assert loss(moving, w, b).item() == loss(moving.detach(), w, b).item()


def test_what_does_not_fit_is_named() -> None:
    pytest.importorskip("torch", reason="there is no PyTorch")
    other = redexter.load("def f (x : real) : real := x * x\ndef g (x y : real) : real := 2 * x\ndef h (x y : real) : real := x * y\n")
    with pytest.raises(redexter.InputError, match="must take what `f` takes"):
        other.f.torch(other.g)
    with pytest.raises(redexter.InputError, match=r"name those: `by=\[…\]`"):
        other.h.torch(other.g)
    for wrong in (None, "fastGradient", 3):
        with pytest.raises(TypeError, match="must be a redexter.Term or a redexter.Derivation"):
            other.h.torch(wrong)  # type: ignore[arg-type]
    with pytest.raises(redexter.InputError, match="`by` names `z`"):
        other.h.torch(other.g, by=["z"])
    with pytest.raises(redexter.InputError, match="hasn't the types of `x`, `y` in this order"):
        other.h.torch(other.g, by=["x", "y"])
    with pytest.raises(redexter.InputError, match="no argument for the parameter `y`"):
        other.h.torch(other.g, by=["x"])(1.0)
    assert np.isclose(other.h.torch(other.g, by=["x"])(2.0, 3.0).item(), 6.0)
