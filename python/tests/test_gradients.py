"""Each shipped model's gradient by redexter gives what `jax.grad` gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from gradients import SMALL, Model, models, row

jax = pytest.importorskip("jax", reason="there is no JAX")


@pytest.mark.parametrize("model", list(models()), ids=lambda model: f"{model.file}-{model.gradient}")
def test_gradient(model: Model, root: Path) -> None:
    found = row(model, SMALL, timed=False)
    if found is None:
        # A derivative of an array: `jax.grad` takes numbers alone, and JAX's export is tested with it elsewhere.
        assert model.primal in ("scaled",)
    else:
        assert found.apart < 1e-9, f"{found.numbers} numbers are {found.apart} apart"


def test_a_derived_gradient_is_that_of_jax(root: Path) -> None:
    """`jax.grad` of a function calls the gradient that was given with it."""
    import numpy as np

    import redexter

    jax.config.update("jax_enable_x64", True)
    model = redexter.load("models/logistic.arr")
    loss = model.loss.jax(model.gradient.apply("fastGradient"))
    x, y, w = np.random.default_rng(1).random((6, 3)), np.array([0.0, 1, 1, 0, 1, 0]), np.ones(3)
    found = jax.jit(jax.grad(loss, 2))(x, y, w)
    assert np.allclose(found, model.gradient(x, y, w), rtol=1e-12)
    assert np.allclose(jax.vmap(loss, (None, None, 0))(x, y, np.stack([w, w])), model.loss(x, y, w), rtol=1e-12)
