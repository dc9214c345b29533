"""Makes calls that follow from a seed: `python fuzz.py SEED COUNT`. It prints the number of each call that goes wrong."""

from __future__ import annotations

import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import redexter

MODEL = """
def total {n} (v : array n real) : real := ifold n (fun acc i => acc + v[i]) 0
def gradient {n} (v : array n real) : array n real := grad total v
def product {n m} (a : array n (array m real)) (b : array m real) : array n real :=
  build n (fun i => ifold m (fun acc j => acc + a[i][j] * b[j]) 0)
def pick {n k} (v : array n real) (at : array k (fin n)) : array k real := build k (fun i => v[at[i]])
def count {n} (k : array n int) : int := ifold n (fun acc i => acc + k[i]) 0
def both {n} (p : array n real * real) : real * array n real := (snd p, build n (fun i => (fst p)[i]))
def ends {n} (v : array n (real * int)) : array n (int * real) := build n (fun i => (snd v[i], fst v[i]))
def shape {n >= 2} (v : array (n + 1) real) (w : array (2 * n) real) : real := v[0] * w[0]
def zeros {n} (x : real) : array n real := build n (fun i => x)
def half {n} (f : array n real -> real) (v : array n real) : array n real := grad f v
def twice (f : real -> real) (x : real) : real := f (f x)
"""

WORDS = ["beta", "fastGradient", "normalize(beta)", "normalize(try(addZero))", "topDown(", "mulOne", "", "at(`a + b`, addZero)", "fuse ;; x", "id", "fail", "é", "\0", "1", "letSubstN(-1)", "rule r = `x + 0 --> x`", "def f (x : real) : real := x", "none.arr", "/", "models/dot.arr", ".", "why 1", "possible", "validate", "graph 1", "orders id | fail", "help", "quit", "n", "v", "a" * 3000, "(" * 500, "def f (x : real) : real := " + "(" * 2000 + "x" + ")" * 2000]


class Odd:
    """What NumPy asks for is not what it gets."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("odd")

    def __fspath__(self) -> str:
        return "odd.arr"

    def __len__(self) -> int:
        return -1


class Calls:
    """Draws values and calls."""

    def __init__(self, seed: int) -> None:
        self.of = random.Random(seed)
        self.session = redexter.Session(timeout=2.0, max_steps=2_000, max_memory=200)
        self.models = [self.session.load(MODEL)]
        self.terms = [self.models[0][name] for name in self.models[0] if name != "half"]
        self.natives = [term.native() for term in self.terms[:8]] + [self.terms[0].native(fast=True, threads=2)]
        self.strategies = [self.session.strategy("fastGradient"), redexter.strategy("id")]
        self.derivations = [self.models[0].gradient.apply("fastGradient")]
        self.made = 0

    def length(self) -> int:
        return self.of.choice([0, 1, 2, 2, 2, 3, 3, 4, 5, 7])

    def array(self) -> Any:
        shape = tuple(self.length() for _ in range(self.of.choice([0, 1, 1, 1, 2, 2, 3])))
        numbers = np.array([self.of.choice([0.0, 1.0, -1.0, 2.5, np.nan, np.inf, -0.0, 1e300]) for _ in range(int(np.prod(shape)))])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array = numbers.reshape(shape).astype(self.of.choice(["f8", "f8", "f8", "f4", "f2", "i8", "i8", "i4", "u8", "u1", "?", ">f8", ">i4", "c16", "g", "O", "U3", "M8[s]"]))
        how = self.of.randrange(8)
        if how == 0 and array.ndim:
            array = array[::-1]
        elif how == 1:
            array = np.asfortranarray(array)
        elif how == 2:
            array.flags.writeable = False
        elif how == 3 and array.ndim:
            array = np.repeat(array, 2, axis=0)[::2]
        elif how == 4 and array.ndim:
            array = np.broadcast_to(array, (2, *array.shape))
        elif how == 5:
            array = np.ma.masked_invalid(array) if array.dtype.kind == "f" else array
        return array

    def anything(self, depth: int = 0) -> Any:
        kind = self.of.randrange(22)
        if kind < 11:
            return self.array()
        if kind < 14 and depth < 3:
            return tuple(self.anything(depth + 1) for _ in range(self.of.choice([0, 1, 2, 2, 2, 3])))
        if kind == 14 and depth < 3:
            return [self.anything(depth + 1) for _ in range(self.length())]
        return self.of.choice([0, 1, -1, 3, 2**63, -(2**63), 2**64, 1.5, True, None, "", "abc", b"x", 1j, Odd(), object(), {}, {1: 2}, range(3), float("nan"), np.float32(2), np.int8(3), np.datetime64("now"), Ellipsis, np, self.terms[0], self.natives[0], self.strategies[0]])

    def word(self) -> Any:
        return self.of.choice(WORDS) if self.of.random() < 0.8 else self.anything()

    def named(self, term: Any) -> dict[str, Any]:
        names = ["v", "a", "b", "at", "k", "p", "x", "w", "n", "m", "zz", ""]
        return {self.of.choice(names): self.anything() for _ in range(self.of.choice([0, 0, 1, 1, 2, 3]))}

    def fitting(self) -> list[Any]:
        n, m = self.length(), self.length()
        return self.of.choice([[np.ones(n)], [np.ones((n, m)), np.ones(m)], [np.ones(n), np.zeros(m, int)], [(np.ones(n), 2.0)], [(np.ones(n), np.ones(n, int))], [np.ones(n + 1), np.ones(2 * n)]])

    def call(self) -> tuple[str, Callable[[], Any]]:
        of = self.of
        kind = of.randrange(24)
        term, derivation = of.choice(self.terms), of.choice(self.derivations)
        if kind < 8:
            code = of.choice(self.natives)
            arguments = self.fitting() if of.random() < 0.4 else [self.anything() for _ in range(of.choice([0, 1, 1, 2, 2, 3]))]
            named = self.named(code) if of.random() < 0.5 else {}
            return "native", lambda: code(*arguments, **named)
        if kind < 13:
            arguments = self.fitting() if of.random() < 0.4 else [self.anything() for _ in range(of.choice([0, 1, 1, 2, 2, 3]))]
            named = self.named(term) if of.random() < 0.5 else {}
            method = of.choice([term, term, term, term.count, term.why_nan])
            return "term", lambda: method(*arguments, **named)
        if kind < 15:
            strategy = of.choice([self.word(), of.choice(self.strategies)])
            return "apply", lambda: self.keep(self.derivations, term.apply(strategy))
        if kind == 15:
            word = self.word()
            return "load", lambda: self.keep(self.models, self.session.load(word))
        if kind == 16:
            word = self.word()
            return "strategy", lambda: self.keep(self.strategies, self.session.strategy(word))
        if kind == 17:
            word = self.word()
            return of.choice([("rule", lambda: self.session.rule(word)), ("run", lambda: self.session.run(word)), ("use", lambda: self.session.use(word))])
        if kind == 18:
            word = self.word()
            return "ask", lambda: of.choice([derivation, term]).ask(word)
        if kind == 19:
            word = of.choice([self.word(), of.randrange(-3, 30)])
            return "why", lambda: derivation.why(word) if of.random() < 0.5 else derivation.why_not(self.word(), word)
        if kind == 20:
            model, word = of.choice(self.models), self.word()
            return "model", lambda: model[word]
        if kind == 21:
            number = of.choice([0, 1, -1, 5, 2**70, None, "x", 15])
            return "after", lambda: repr(derivation.after(number))
        if kind == 22:
            what = of.choice(["steps", "stages", "work", "rules", "term", "start", "strategy", "stopped"])
            return what, lambda: repr(getattr(derivation, what))
        what = of.choice([term.latex, term.futhark, term.c, term.jax_module, lambda: term.work, lambda: term.work(n=of.choice([3, -1, "x"])), lambda: repr(term), term._repr_html_, lambda: term == derivation.term, lambda: term.native(threads=of.choice([0, 1, -5, 2**40, "x"])), lambda: term.jax_module(of.choice([derivation, term, 3]), of.choice([None, ["v"], ["zz"], 3])), lambda: hash(term), lambda: term.parameters])
        return "about", what

    def keep(self, among: list[Any], one: Any) -> None:
        among.append(one)
        if len(among) > 12:
            among.pop(self.of.randrange(2, len(among)))


EXPECTED = (redexter.RedexterError, TypeError, ValueError, OverflowError, IndexError, RuntimeError, OSError)


def main() -> int:
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    warnings.simplefilter("ignore")
    calls, ended, wrong = Calls(seed), Counter[str](), 0
    for number in range(count):
        name, call = calls.call()
        try:
            call()
            ended["a value"] += 1
        except EXPECTED as error:
            ended[type(error).__name__] += 1
            if "E0999" in str(error) or not str(error):
                wrong += 1
                print(f"call {number} of seed {seed}, {name}: {error!r}")
        except BaseException as error:
            wrong += 1
            print(f"call {number} of seed {seed}, {name}: {type(error).__name__}: {error}")
    print(f"{count} calls: {dict(ended)}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
