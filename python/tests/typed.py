"""What a type checker says of the interface: this is checked by mypy, and never run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, assert_type

import numpy as np

import redexter

model = redexter.load(Path("models/mixture.arr"))
assert_type(model, redexter.Model)
assert_type(model.gradient, redexter.Term)
assert_type(model["gradient"], redexter.Term)
assert_type(model.definitions, dict[str, str])
assert_type(model.doc, str | None)
assert_type(list(model), list[str])

derivation = model.gradient.apply(redexter.strategy("fastGradient"))
assert_type(derivation, redexter.Derivation)
assert_type(derivation.steps[0], redexter.Step)
assert_type(derivation.steps[0].before, redexter.Term)
assert_type(derivation.stages[0].work, tuple[str, str] | None)
assert_type(derivation.work, tuple[redexter.Work, redexter.Work])
assert_type(derivation.steps[0].work, redexter.Work)
assert_type(derivation.why(3), redexter.Answer)
assert_type(derivation.why_not("beta", "2"), redexter.Answer)
assert_type(derivation.compare(derivation), redexter.Page)

native = derivation.term.native(fast=True, threads=2)
assert_type(native, redexter.Native)
assert_type(native(np.zeros(3), w=[1, 2], p=(1.0, np.ones(2))), Any)
assert_type(derivation.term.jax(), Callable[..., Any])
assert_type(model.gradient.work(n=10), dict[str, int | None])

try:
    redexter.rule("rule r = `x + 0 --> x`")
except redexter.InputError as error:
    assert_type(error.place, redexter.Place | None)
    assert_type(error.derivation, redexter.Derivation | None)

model.gradient.apply(3)  # type: ignore[arg-type]
redexter.limits(max_steps="many")  # type: ignore[arg-type]
model.gradient.native(True)  # type: ignore[call-arg]
