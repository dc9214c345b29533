"""Prints what docs/python.md says of times and memory: `python python/tests/measure.py`."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np

import redexter


def least(call: Callable[[], object], calls: int, runs: int = 7) -> float:
    """Seconds of a call, the least of some runs of many."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - begun) / calls)
    return min(times)


def main() -> None:
    text = "import time; t = time.perf_counter(); import redexter; print(time.perf_counter() - t)"
    imports = [float(subprocess.run([sys.executable, "-c", text], capture_output=True, text=True).stdout) for _ in range(7)]
    print(f"import redexter: {min(imports) * 1e3:.1f} ms, at most {max(imports) * 1e3:.1f} ms")
    begun = time.perf_counter()
    model = redexter.load("models/logistic.arr")
    print(f"the session and a model: {(time.perf_counter() - begun) * 1e3:.1f} ms")
    begun = time.perf_counter()
    gradient = model.gradient.apply("fastGradient").term
    print(f"its gradient derived: {(time.perf_counter() - begun) * 1e3:.1f} ms")
    sums = redexter.load("models/vector_sum.arr")
    small, total, slope = np.ones(8), sums.total.native(), sums.gradient.apply("fastGradient").term.native()
    dot = redexter.load("models/dot.arr").dot.native()
    print(f"total(v), native, 8 numbers: {least(lambda: total(small), 100_000) * 1e6:.2f} µs")
    print(f"gradient(v=v), native, 8 numbers: {least(lambda: slope(v=small), 100_000) * 1e6:.2f} µs")
    print(f"dot(v, w), native, 8 numbers each: {least(lambda: dot(small, small), 100_000) * 1e6:.2f} µs")
    x, y, w = np.random.default_rng(1).random((8, 8)), np.ones(8), np.ones(8)
    logistic = gradient.native()
    print(f"logistic gradient, native, 8 rows of 8: {least(lambda: logistic(x, y, w), 50_000) * 1e6:.2f} µs")
    print(f"total(v) in blocks, 8 numbers: {least(lambda: sums.total(small), 2_000) * 1e6:.1f} µs")
    large = np.ones(1_000_000)
    print(f"total(v), native, 10^6 numbers: {least(lambda: total(large), 50) * 1e6:.0f} µs; np.sum: {least(lambda: large.sum(), 50) * 1e6:.0f} µs")
    print(f"total(v), native and fast: {least(lambda f=sums.total.native(fast=True): f(large), 50) * 1e6:.0f} µs")
    tracemalloc.start()
    total(large)
    print(f"memory that total(v) of 10^6 numbers takes: {tracemalloc.get_traced_memory()[1]} bytes")
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    slope(large)
    print(f"memory that gradient(v) of 10^6 numbers takes: {tracemalloc.get_traced_memory()[1] - before} bytes, 8000000 of them its result")


if __name__ == "__main__":
    main()
