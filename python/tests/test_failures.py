"""What goes wrong is an exception that says it, and never ends the interpreter."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import redexter

SUMS = "def total {n} (v : array n real) : real :=\n  ifold n (fun acc i => acc + v[i]) 0\n\ndef gradient {n} (v : array n real) : array n real :=\n  grad total v\n"

# Some 10^11 operations at 5000 numbers.
LONG = "def long {n} (v : array n real) : real :=\n  ifold n (fun a i => a + ifold n (fun b j => b + ifold n (fun c k => c + exp (v[i] * v[j] * v[k])) 0) 0) 0\n"


def test_an_error_has_code_place_remedy_and_excerpt() -> None:
    with pytest.raises(redexter.RedexterError) as wrong:
        redexter.load("def f (x : real) : real :=\n  y + x\n")
    error = wrong.value
    assert (error.code, error.headline, error.remedies) == ("E0301", "unknown name `y`", ("define `y` above, or make it a parameter",))
    assert error.place is not None and (error.place.line, error.place.column, error.place.message) == (2, 3, "not known here")
    assert "2 |   y + x\n  |   ^ not known here" in str(error)
    assert error.findings[0].places == (error.place,)


def test_a_definition_that_is_not_there_is_an_attribute_error() -> None:
    model = redexter.load(SUMS)
    for kind in (AttributeError, KeyError, redexter.NoSuchDefinition):
        with pytest.raises(kind, match="did you mean `total`"):
            model["totl"]
    assert not hasattr(model, "totl") and getattr(model, "gradent", None) is None


def test_a_definition_under_d_has_no_term() -> None:
    model = redexter.load("def half {n} (f : array n real -> real) (v : array n real) : array n real :=\n  grad f v\n")
    with pytest.raises(redexter.RedexterError, match="no term of its own") as wrong:
        model.half
    assert wrong.value.code == "E0213"
    other = redexter.load("def twice (f : real -> real) (x : real) : real := f (f x)\n")
    with pytest.raises(redexter.InputError, match="no data"):
        other.twice(abs, 1.0)


def test_a_strategy_that_fails_says_why() -> None:
    with pytest.raises(redexter.StrategyFailed, match="there is no \\*") as wrong:
        redexter.load(SUMS).total.apply("mulOne")
    assert wrong.value.code == "E0602" and '`.ask("why-not mulOne")` says what is in its way' in wrong.value.remedies[0]
    with pytest.raises(redexter.RedexterError, match="never ends"):
        redexter.strategy("normalize(try(addZero))")
    with pytest.raises(TypeError, match="`strategy` must be a text or a redexter.Strategy, but is of the type int"):
        redexter.load(SUMS).total.apply(3)  # type: ignore[arg-type]


def test_a_limit_leaves_the_steps_so_far() -> None:
    own = redexter.Session()
    own.limits(max_steps=4)
    with pytest.raises(redexter.LimitReached, match="`limits\\(max_steps=N\\)` of the session") as wrong:
        own.load(SUMS).gradient.apply("fastGradient")
    derivation = wrong.value.derivation
    assert derivation is not None and derivation.stopped is not None and "stopped by a limit" in repr(derivation)
    assert "max-steps  1000000" in own.limits(max_steps=1_000_000)
    own.limits(timeout=0.2)
    with pytest.raises(redexter.LimitReached, match="seconds"):
        own.load(LONG).long(np.ones(5000))
    with pytest.raises(ValueError, match="`timeout` must be a number of seconds"):
        own.limits(timeout=-1.0)


def test_memory_is_limited() -> None:
    own = redexter.Session(max_memory=50)
    table = own.load("def table {n} (v : array n real) : array n (array n real) := build n (fun i => build n (fun j => v[i] * v[j]))\n").table
    with pytest.raises(redexter.RedexterError):
        table.count(np.ones(4000))
    # What calls gave before doesn't count against a later one.
    for _ in range(40):
        assert table(np.ones(500)).shape == (500, 500)


def test_a_file_that_changed_is_told(tmp_path: Path) -> None:
    file = tmp_path / "own.arr"
    file.write_text(SUMS)
    model = redexter.load(file)
    total = model.total
    file.write_text(SUMS.replace("acc + v[i]", "acc - v[i]"))
    with pytest.raises(redexter.ModelChanged, match="changed since it was loaded: it had \\d+ bytes then") as wrong:
        model.gradient
    assert "model.reload()" in wrong.value.remedies[0]
    assert total(np.ones(3)) == 3.0, "a term that was taken before is what it was"
    model.reload()
    assert model.total(np.ones(3)) == -3.0
    file.write_text("def wrong (x : real) : real := y\n")
    with pytest.raises(redexter.RedexterError, match="unknown name"):
        model.reload()
    file.unlink()
    with pytest.raises(redexter.ModelChanged, match="can't be read any more"):
        model.total
    # Written again as it was, and touched.
    file.write_text(SUMS)
    again = redexter.load(file)
    os.utime(file, (1, 1))
    assert again.total(np.ones(2)) == 2.0


def test_an_import_that_changed_is_told(tmp_path: Path) -> None:
    (tmp_path / "base.arr").write_text("def twice (x : real) : real := x + x\n")
    (tmp_path / "own.arr").write_text('import "base.arr"\n\ndef four (x : real) : real := twice (twice x)\n')
    model = redexter.load(tmp_path / "own.arr")
    assert model.four(1.0) == 4.0
    (tmp_path / "base.arr").write_text("def twice (x : real) : real := 2 * x\n")
    with pytest.raises(redexter.ModelChanged, match="base.arr"):
        model.four


def interrupted(work: str) -> str:
    """What a process says that works, and gets Ctrl-C after half a second."""
    text = textwrap.dedent("""
        import os, signal, sys, threading, time, numpy as np, redexter
        # A shell's background work begins with interrupts ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        model = redexter.load(sys.argv[1])
        gradient = redexter.load("models/transformer.arr").gradient
        v = np.random.rand(5000)
        native, two = model.long.native(), model.long.native(threads=2)
        sent = []
        def send():
            time.sleep(0.5)
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=send).start()
        try:
            WORK
            print("it ended")
        except KeyboardInterrupt:
            print(time.perf_counter() - sent[0])
        assert redexter.load("def f (x : real) : real := x + 1\\n").f(1.0) == 2.0
    """).replace("WORK", work)
    done = subprocess.run([sys.executable, "-c", text, LONG], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


FLAT = "redexter.load('def flat {n} (x : real) : real := ifold n (fun acc i => 0.5 * acc + x) 0').flat.native()(1.0, n=2**36)"


@pytest.mark.parametrize("work", ["model.long(v)", "native(v)", "two(v)", FLAT, "while True: gradient.apply('fastGradient')"])
def test_ctrl_c_ends_work_at_once(work: str) -> None:
    # The project promises a tenth of a second; a machine that has other things to do is given more here.
    assert float(interrupted(work)) < 1.0


def test_plain_arguments_say_what_was_expected_and_found() -> None:
    derivation = redexter.load(SUMS).gradient.apply("id")
    for call, kind, argument, words in (
        (lambda: derivation.after(-1), ValueError, "steps", "a whole number from 0 to 2^64 - 1, but is -1"),
        (lambda: derivation.ask(3), TypeError, "question", "a text, but is of the type int"),  # type: ignore
        (lambda: redexter.Session(max_steps="many"), TypeError, "max_steps", "but is of the type str"),  # type: ignore
        (lambda: derivation.term.jax_module(derivation, by=3), TypeError, "by", "a name or a list of names, but is 3"),  # type: ignore
        (lambda: derivation.term.native(threads=2**70), ValueError, "threads", "but is 1180591620717411303424"),
        (lambda: derivation.term.native(threads=True), TypeError, "threads", "but is of the type bool"),
    ):
        with pytest.raises(kind) as wrong:  # type: ignore[call-overload]
            call()
        assert words in str(wrong.value) and argument in " ".join(wrong.value.__notes__)
    with pytest.raises(redexter.InputError, match="`threads` must be a whole number from 1 to 256, but is 0"):
        derivation.term.native(threads=0)
    with pytest.raises(IndexError, match="there are 0 steps, and 5 were asked for"):
        derivation.after(5)


def test_threads_share_a_model() -> None:
    model = redexter.load(SUMS)

    def work(k: int) -> bool:
        for _ in range(200):
            assert model.total is model["total"] and not hasattr(model, "nothing") and len(dict(model.definitions)) == 2
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(16)))


def test_threads_share_a_session() -> None:
    model = redexter.load(SUMS)
    gradient = model.gradient.apply("fastGradient").term
    native = gradient.native()

    def work(k: int) -> bool:
        v = np.full(k + 1, float(k))
        own = model.total(v) == k * (k + 1) and np.array_equal(native(v), np.ones(k + 1))
        return own and len(model.gradient.apply("fastGradient")) == 15 and np.array_equal(gradient(v), np.ones(k + 1))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(80)))


def test_the_lock_is_free_while_work_goes_on() -> None:
    native = redexter.load(LONG).long.native()
    counted, ended = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    native(np.random.rand(350))
    during = counted - before
    ended.set()
    thread.join()
    assert during > 3


def test_objects_go_when_python_drops_them() -> None:
    own = redexter.Session()
    model = own.load(SUMS)
    for _ in range(300):
        derivation = model.gradient.apply("fastGradient")
        assert derivation.term is not derivation.term
    step = derivation.steps[0]
    del model, own, derivation
    gc.collect()
    assert step.redex and step.before.type == "array n real -> array n real"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_process_that_was_forked_off_is_told() -> None:
    text = textwrap.dedent("""
        import os, sys, warnings, numpy as np, redexter
        warnings.simplefilter("ignore")
        model = redexter.load(sys.argv[1])
        total = model.total
        native = total.native(threads=2)
        assert native(np.ones(5)) == 5.0
        child = os.fork()
        if child == 0:
            try:
                total(np.ones(3))
            except redexter.RedexterError as error:
                assert "forked" in str(error), error
                assert native(np.ones(5)) == 5.0
                assert redexter.load(sys.argv[1]).total(np.ones(3)) == 3.0
                os._exit(7)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    """)
    done = subprocess.run([sys.executable, "-c", text, SUMS], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_what_stops_nothing_is_a_warning() -> None:
    own = redexter.Session()
    term = own.load("def f {n} (v : array n real) : real := ifold n (fun acc i => acc + (v[i] - v[i])) 0\n").f
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert term.native(fast=True)(np.ones(3)) == 0.0
    assert all(issubclass(one.category, redexter.RedexterWarning) for one in said)


def test_no_compiler_is_told() -> None:
    text = "import redexter, sys\ntry:\n    redexter.load(sys.argv[1]).total.native()\nexcept redexter.RedexterError as error:\n    print(error)\n"
    done = subprocess.run([sys.executable, "-c", text, SUMS], env={**os.environ, "CC": "no-such-compiler"}, capture_output=True, text=True)
    assert "there is no compiler `no-such-compiler`" in done.stdout and "call the term itself" in done.stdout


def test_an_exit_while_work_goes_on_is_quiet() -> None:
    text = "import redexter, sys, threading, numpy as np\nf = redexter.load(sys.argv[1]).long\nthreading.Thread(target=lambda: f(np.ones(5000)), daemon=True).start()\n"
    done = subprocess.run([sys.executable, "-c", text, LONG], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
