"""Arrays of NumPy's go in and come out: which are taken, as what, and where none is copied."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import redexter

MODEL = redexter.load("""
def total {n} (v : array n real) : real := ifold n (fun acc i => acc + v[i]) 0
def double {n} (v : array n real) : array n real := build n (fun i => 2 * v[i])
def product {n m} (a : array n (array m real)) (b : array m real) : array n real :=
  build n (fun i => ifold m (fun acc j => acc + a[i][j] * b[j]) 0)
def pick {n k} (v : array n real) (at : array k (fin n)) : array k real := build k (fun i => v[at[i]])
def count {n} (k : array n int) : int := ifold n (fun acc i => acc + k[i]) 0
def both {n} (p : array n real * real) : real * array n real := (snd p, build n (fun i => fst p[i] * snd p))
def ends {n} (v : array n (real * int)) : array n (int * real) := build n (fun i => (snd v[i], fst v[i]))
def three (t : real * real * real) : real := fst t + fst (snd t) * snd (snd t)
def zeros {n} (x : real) : array n real := build n (fun i => x)
""".replace("fst p[i] * snd p", "(fst p)[i] * snd p"))

WAYS: list[Callable[[redexter.Term], Callable[..., Any]]] = [lambda term: term, lambda term: term.native(), lambda term: term.native(fast=True, threads=2)]
way = pytest.mark.parametrize("way", WAYS, ids=["blocks", "native", "fast"])


@way
def test_any_numbers_and_strides(way: Callable[..., Any]) -> None:
    double, product = way(MODEL.double), way(MODEL.product)
    reals = np.arange(12.0)
    for given in (
        reals,
        reals.astype(np.float32),
        reals.astype(np.float16),
        reals.astype(np.int64),
        reals.astype(np.uint8),
        reals.astype(">f8"),
        reals[::-1],
        np.repeat(reals, 3)[::3],
        list(range(12)),
        tuple(range(12)),
    ):
        found = double(given)
        assert found.dtype == np.float64 and found.shape == (12,)
        assert np.array_equal(found, 2 * np.asarray(given, np.float64))
    readonly = reals.copy()
    readonly.flags.writeable = False
    assert np.array_equal(double(readonly), 2 * reals)
    a, b = np.random.default_rng(1).random((4, 5)), np.random.default_rng(2).random(5)
    for matrix in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2], a[::-1]):
        assert np.allclose(product(matrix, b), matrix @ b, rtol=1e-14)
    unaligned = np.zeros(8 * 12 + 1, np.uint8)[1:].view(np.float64)
    unaligned[:] = reals
    assert not unaligned.flags.aligned and np.array_equal(double(unaligned), 2 * reals)
    assert np.array_equal(double(np.zeros(0)), np.zeros(0)) and np.array_equal(double(v=np.ones(1)), [2.0])


@way
def test_indices_integers_pairs_and_sizes(way: Callable[..., Any]) -> None:
    v = np.arange(5.0)
    assert np.array_equal(way(MODEL.pick)(v, np.array([4, 0, 4], np.int32)), [4.0, 0.0, 4.0])
    assert way(MODEL.count)(np.array([2**40, -3])) == 2**40 - 3
    first, second = way(MODEL.both)((v, 2.0))
    assert first == 2.0 and np.array_equal(second, 2 * v)
    ints, reals = way(MODEL.ends)((v, np.arange(5)))
    assert ints.dtype == np.int64 and np.array_equal(reals, v)
    assert way(MODEL.three)((1.0, (2.0, 3.0))) == way(MODEL.three)((1.0, 2.0, 3.0)) == 7.0
    assert np.array_equal(way(MODEL.zeros)(1.5, n=3), [1.5, 1.5, 1.5])
    assert isinstance(way(MODEL.total)(v), float) and way(MODEL.total)(np.float64(3) * v) == 30.0
    assert way(MODEL.total)([np.inf, 1.0]) == np.inf and np.isnan(way(MODEL.total)([np.nan]))


def native(term: redexter.Term) -> Callable[..., Any]:
    return term.native()


@pytest.mark.parametrize("way", [lambda term: term, native], ids=["blocks", "native"])
@pytest.mark.parametrize(
    ("name", "given", "named", "words"),
    [
        ("total", [np.zeros((2, 2))], {}, "`v` must have the shape (n,), but has (2, 2)"),
        ("total", [3.0], {}, "`v` must have the shape (n,), but has ()"),
        ("total", ["abc"], {}, "`v` must be reals, of type array n real, but is <U3"),
        ("total", [np.zeros(3, complex)], {}, "`v` must be reals, of type array n real, but is complex128 of the shape (3,)"),
        ("total", [[True, False]], {}, "but is bool of the shape (2,)"),
        ("total", [np.array([None, 1])], {}, "but is object of the shape (2,)"),
        ("total", [[[1.0], [1.0, 2.0]]], {}, "`v` must be numbers of type array n real, but can't be made an array"),
        ("total", [np.zeros(3, np.longdouble)], {}, "`v` must be reals"),
        ("total", [np.array([2**53 + 1])], {}, "some of int64 of the shape (1,) can't be"),
        ("total", [], {}, "there is no argument for the parameter `v`, of type array n real"),
        ("total", [], {"w": 1}, "no parameter and no size `w`"),
        ("total", [np.ones(2)], {"w": 1}, "no parameter and no size `w`"),
        ("total", [np.ones(2)], {"v": np.ones(2)}, "`v` is given twice"),
        ("total", [np.ones(2), np.ones(2)], {}, "there are 2 arguments, but 1 parameters"),
        ("product", [np.ones((2, 3)), np.ones(4)], {}, "`b` has 4 elements, which contradicts its size m, where m is 3 by `a[:]`"),
        ("product", [np.ones((2, 3)), np.ones(3)], {"m": 4}, "contradicts"),
        ("pick", [np.ones(3), [0, 3]], {}, "`at[1]` must be an index of type array k (fin n), but is 3"),
        ("pick", [np.ones(3), [0, -1]], {}, "`at[1]` must be an index of type array k (fin n), but is -1"),
        ("pick", [np.ones(3), [0.0]], {}, "`at` must be whole numbers, of type array k (fin n), but is float64"),
        ("count", [np.array([2**63], np.uint64)], {}, "`k` must be whole numbers that int64 can hold"),
        ("both", [np.ones(3)], {}, "`p` must be a tuple of two, but is of the type ndarray"),
        ("both", [(np.ones(3), 1.0, 2.0)], {}, "`p` must be a tuple of two"),
        ("both", [(np.ones(3), "x")], {}, "`p[1]` must be reals"),
        ("three", [(1.0, 2.0)], {}, "`t[1]` must be a tuple of two, but is of the type float"),
        ("zeros", [1.0], {}, "nothing determines the size `n`"),
        ("zeros", [1.0], {"n": -1}, "the size `n` must be a whole number from 0 to 2^63 - 1, but is -1"),
        ("zeros", [1.0], {"n": 2.5}, "the size `n` must be a whole number"),
        ("zeros", [1.0], {"n": 2**62}, "n"),
    ],
)
def test_what_does_not_fit_is_named(way: Callable[..., Any], name: str, given: list[Any], named: dict[str, Any], words: str) -> None:
    with pytest.raises((redexter.InputError, redexter.LimitReached)) as wrong:
        way(MODEL[name])(*given, **named)
    assert words in str(wrong.value)
    assert isinstance(wrong.value, redexter.LimitReached) or isinstance(wrong.value, ValueError)


def test_threads_give_the_same_bits() -> None:
    a, b = np.random.default_rng(3).random((1500, 700)), np.random.default_rng(4).random(700)
    found = MODEL.product.native()(a, b)
    for threads in (2, 3):
        assert np.array_equal(MODEL.product.native(threads=threads)(a, b), found)
    assert np.array_equal(MODEL.product(a, b), found) and np.allclose(MODEL.product.native(fast=True, threads=2)(a, b), found, rtol=1e-12)


def test_arrays_in_a_row_are_not_copied() -> None:
    v = np.ones(1_000_000)
    total, double = MODEL.total.native(), MODEL.double.native()
    assert total(v) == 1_000_000.0 and double(v)[0] == 2.0
    tracemalloc.start()
    try:
        total(v)
        assert tracemalloc.get_traced_memory()[1] < 100_000
        tracemalloc.reset_peak()
        found = double(v)
        # The result, and nothing beside.
        assert 8_000_000 <= tracemalloc.get_traced_memory()[1] < 8_100_000
    finally:
        tracemalloc.stop()
    assert not np.shares_memory(found, v) and found.flags.writeable


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this machine doesn't say what a process holds")
def test_what_the_process_holds_grows_by_the_result_alone() -> None:
    def held() -> int:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

    v, total = np.ones(10_000_000), MODEL.total.native()
    total(v[:10])
    before = held()
    assert total(v) == 1e7
    assert held() - before < 8_000, "in kB; a copy would be 80,000"


@way
def test_a_remedy_can_be_followed(way: Callable[..., Any]) -> None:
    product, double, count = way(MODEL.product), way(MODEL.double), way(MODEL.count)
    a, b = np.ones((2, 3)), np.ones(3)
    for call, words in (
        (lambda: product(a, bb=b), "no parameter and no size `bb`"),
        (lambda: product(a, bb=b), "did you mean `b`"),
        (lambda: product((a, b)), "write `*` before it"),
        (lambda: product(a), "add `b=…`; it takes `a` : array n (array m real), `b` : array m real"),
        (lambda: double(np.ones(3) * 1j), "`.real`, `.imag`"),
        (lambda: double(None), "but is None\n = help: give numbers"),
        (lambda: double(["1", "2"]), "give numbers: a number, a list of them"),
        (lambda: double(np.ma.masked_array([1.0, 2.0], [False, True])), "has masked elements"),
        (lambda: double(np.array([True])), "`.astype('float64')`"),
        (lambda: count(np.array([1.5])), "give whole numbers; `.astype('int64')` cuts off"),
    ):
        with pytest.raises(redexter.InputError) as wrong:
            call()
        assert words in str(wrong.value), str(wrong.value)
    assert np.array_equal(product(*(a, b)), [3.0, 3.0])
    assert np.array_equal(double(np.ma.masked_array([1.0, 2.0], [False, False])), [2.0, 4.0])
