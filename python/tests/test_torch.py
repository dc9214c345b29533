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
    # Only by the second argument, which the types tell.
    own = MODEL.loss.torch(MODEL.gradient)
    v.grad = None
    own(v, (a, w), 1).backward()
    assert v.grad is None


def test_what_does_not_fit_is_named() -> None:
    pytest.importorskip("torch", reason="there is no PyTorch")
    other = redexter.load("def f (x : real) : real := x * x\ndef g (x y : real) : real := 2 * x\ndef h (x y : real) : real := x * y\n")
    with pytest.raises(redexter.InputError, match="must take what `f` takes"):
        other.f.torch(other.g)
    with pytest.raises(redexter.InputError, match="say `by="):
        other.h.torch(other.g)
    with pytest.raises(redexter.InputError, match="`by` names `z`"):
        other.h.torch(other.g, by=["z"])
    with pytest.raises(redexter.InputError, match="no argument for the parameter `y`"):
        other.h.torch(other.g, by=["x"])(1.0)
    assert np.isclose(other.h.torch(other.g, by=["x"])(2.0, 3.0).item(), 6.0)
