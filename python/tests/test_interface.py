"""Models, strategies, terms, derivations: what each gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import redexter

SUMS = "-- sums\ndef total {n} (v : array n real) : real :=\n  ifold n (fun acc i => acc + v[i]) 0\n\n-- its slope\n-- by all\ndef gradient {n} (v : array n real) : array n real :=\n  grad total v\n"


def test_a_model_has_its_definitions_as_attributes_with_docs_and_types() -> None:
    model = redexter.load(SUMS)
    assert model.definitions == {"total": "array n real -> real", "gradient": "array n real -> array n real"}
    assert list(model) == ["total", "gradient"] and len(model) == 2 and "total" in model
    assert model.gradient is model["gradient"] and {"total", "gradient", "reload"} <= set(dir(model))
    assert (model.doc, model.total.doc, model.gradient.doc) == ("sums", "sums", "its slope\nby all")
    assert model.total.type == "array n real -> real" and model.total.parameters == {"v": "array n real"}
    assert model.total.sizes == ("n",) and model.total.name == "total"
    assert "def gradient {n} (v : array n real) : array n real" in str(model)


def test_models_that_ship_are_there_in_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert redexter.load("models/mixture.arr").path == "models/mixture.arr"
    (tmp_path / "own.arr").write_text(SUMS)
    assert redexter.load(tmp_path / "own.arr").total(np.ones(3)) == 3.0


def test_a_strategy_gives_a_derivation() -> None:
    model = redexter.load(SUMS)
    schedule = redexter.strategy("fastGradient")
    derivation = model.gradient.apply(schedule)
    assert str(schedule) == derivation.strategy == "fastGradient"
    assert str(derivation.term) == "fun (v : array n real) => build n (fun i => 1)"
    assert repr(derivation.work) == "(8n² + n, n)" and derivation.work == (derivation.start.work, derivation.term.work)
    assert str(derivation.term.work) == "n" and [work.order for work in derivation.work] == ["n²", "n"]
    assert len(derivation) == len(derivation.steps) == sum(derivation.rules.values()) and derivation.stopped is None
    first = derivation.steps[0]
    assert first.number == 1 and first.before == derivation.start == model.gradient and first.after == derivation.after(1)
    assert first.redex != first.contractum and derivation.steps[-1].work == derivation.term.work and first.place.startswith(".")
    assert [stage.title for stage in derivation.stages][:2] == ["fastGradient", "oneHotWay"]
    assert derivation.stages[0].steps == len(derivation) and derivation.stages[0].work is not None
    assert derivation.term == model.gradient.apply("fastGradient").term
    assert hash(derivation.term) == hash(model.gradient.apply("fastGradient").term)


def test_names_are_a_list_or_one() -> None:
    model = redexter.load(SUMS)
    one, listed = (model.total.jax_module(model.gradient, by) for by in ("v", ["v"]))
    assert one == listed == model.total.jax_module(model.gradient)
    two = redexter.load("def f (x y : real) : real := x * y\ndef g (x y : real) : real := grad (fun x => f x y) x\n")
    with pytest.raises(redexter.RedexterError, match=r"name those: `by=\[…\]`"):
        two.f.jax_module(two.g)


def test_places_are_shortened() -> None:
    derivation = redexter.load("models/lstm.arr").gradient.apply("fastGradient")
    long = next(step for step in derivation.steps if "×" in step.place)
    assert long.place.count(".letBody.letBody.letBody.letBody") == 0


def test_work_is_a_formula() -> None:
    work = redexter.load(SUMS).gradient.work
    assert work(n=4)["writes"] == 36 and work(n=4)["flops"] == 32
    assert redexter.load(SUMS).gradient.count(np.ones(4)) == work(n=4)
    with pytest.raises(redexter.InputError, match="no size `m`"):
        work(m=3)
    with pytest.raises(redexter.InputError, match="how large `n` is"):
        work()


def test_questions_are_answered() -> None:
    derivation = redexter.load(SUMS).gradient.apply("fastGradient")
    assert str(derivation.why(1)).startswith("1. ")
    assert "applies nowhere" in str(derivation.why_not("letSubstN(1)"))
    assert "every step" in str(derivation.ask("validate")).lower() or derivation.ask("validate").data
    assert derivation.start.ask("possible").data and str(derivation.why("."))
    with pytest.raises(redexter.RedexterError, match="no question"):
        derivation.ask("load x.arr")
    with pytest.raises(redexter.RedexterError, match="writes no file"):
        derivation.start.ask("graph 1 here.svg")


def test_exports() -> None:
    total = redexter.load(SUMS).total
    assert total.c().count("total") > 3 and "entry total" in total.futhark() and total.latex().startswith("\\begin{align*}")
    derivation = redexter.load(SUMS).gradient.apply("fastGradient")
    assert derivation.latex().startswith("% Written by redexter.") and "# " in derivation.markdown()
    assert "def total(" in total.jax_module()


def test_rules_are_tested_when_they_are_defined() -> None:
    own = redexter.Session()
    rule = own.rule("rule twice = `x + x --> 2 * x`")
    assert (rule.name, rule.laws) == ("twice", ["x + x --> 2 * x"]) and own.rules["twice"].laws == rule.laws
    term = own.load("def f (a : real) : real := (a * a) + (a * a)").f
    assert str(term.apply("topDown(twice)").term) == "fun (a : real) => 2 * (a * a)"
    with pytest.raises(redexter.RedexterError, match="changes what terms mean") as wrong:
        own.rule("rule once = `x + x --> x`")
    assert wrong.value.code == "E0505" and "once" not in own.rules
    for call in (lambda: own.rule("rule r = `x --> x`", where=lambda t: True), lambda: own.rule(lambda t: t)):  # type: ignore
        with pytest.raises(redexter.RedexterError, match="nobody knows what it looks at"):
            call()
    with pytest.raises(redexter.RedexterError, match="defines no rule"):
        own.rule("x + x --> 2 * x")


def test_scripts_define_strategies_and_print(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = redexter.Session()
    own.run('strategy fuse = normalize(beta <+ getBuild);\nprint("done");')
    assert capsys.readouterr().out == "done\n"
    (tmp_path / "more.strat").write_text("strategy clean = normalize(mulOne);\n")
    own.use(tmp_path / "more.strat")
    assert str(own.strategy("fuse ;; clean")) == "fuse ;; clean"


def test_sessions_are_apart() -> None:
    one, other = redexter.Session(), redexter.Session(max_steps=3)
    one.run("strategy mine = topDown(beta);")
    with pytest.raises(redexter.RedexterError):
        other.strategy("mine")
    with pytest.raises(redexter.RedexterError, match="another session"):
        other.load(SUMS).gradient.apply(one.strategy("mine"))
    with pytest.raises(redexter.LimitReached):
        other.load(SUMS).gradient.apply("fastGradient")
    assert one.load(SUMS).total != other.load(SUMS).total


def test_the_command_line_is_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "redexter", "apply", "fastGradient", "models/vector_sum.arr:gradient"],
        capture_output=True,
        text=True,
    )
    assert done.stdout == "fun (v : array n real) => build n (fun i => 1)\n" and done.returncode == 0
    wrong = subprocess.run([sys.executable, "-m", "redexter", "apply", "beta", "none.arr:f"], capture_output=True, text=True)
    assert wrong.returncode == 1 and "E0401" in wrong.stderr
    assert subprocess.run([sys.executable, "-m", "redexter", "--nothing"], capture_output=True).returncode == 2
    assert redexter.__version__ in subprocess.run([sys.executable, "-m", "redexter", "--version"], capture_output=True, text=True).stdout
