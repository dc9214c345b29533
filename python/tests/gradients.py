"""Each model's gradient by redexter beside `jax.grad`: `python python/tests/gradients.py` prints values and times as one table."""

from __future__ import annotations

import functools
import inspect
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import redexter

ROOT = Path(__file__).resolve().parents[2]

# Sizes for the names that models have; a model's own bounds go before.
SMALL, LARGE = [3, 5, 2, 4], [60, 40, 50, 30]

NUMBERS = np.random.default_rng(7)


class Model(NamedTuple):
    """A model with a gradient: its file, what is derived, and the derivative."""

    file: str
    primal: str
    gradient: str


class Row(NamedTuple):
    """What was computed, and how long it took, in seconds; how far both are apart, for each 1 of the largest number."""

    model: Model
    numbers: int
    apart: float
    redexter: float
    fast: float
    jax: float


def models() -> Iterator[Model]:
    """Those that `strategies/evidence.strat` lists, by gradients of numbers."""
    for line in (ROOT / "strategies/evidence.strat").read_text().splitlines():
        found = re.search(r'file: "(\w+)", primal: "(\w+)", derivative: "(gradient\w*)"', line)
        if found and "Second" not in found[3]:
            yield Model(*found.groups())


def tokens(text: str) -> list[str]:
    return re.findall(r"[A-Za-z_]\w*|\d+|[()*+]", text)


def value(words: list[str], sizes: dict[str, int], shape: tuple[int, ...] = ()) -> Any:
    """A value of the type that these words begin with; an array of pairs is a pair of arrays."""
    first = part(words, sizes, shape)
    if words and words[0] == "*":
        words.pop(0)
        return (first, value(words, sizes, shape))
    return first


def part(words: list[str], sizes: dict[str, int], shape: tuple[int, ...]) -> Any:
    word = words.pop(0)
    if word == "(":
        inner = value(words, sizes, shape)
        assert words.pop(0) == ")"
        return inner
    if word == "array":
        return part_below(words, sizes, shape)
    if word == "real":
        return NUMBERS.uniform(0.05, 0.25, shape)
    if word == "int":
        return NUMBERS.integers(0, 3, shape)
    assert word == "fin", word
    return NUMBERS.integers(0, size(words, sizes), shape)


def part_below(words: list[str], sizes: dict[str, int], shape: tuple[int, ...]) -> Any:
    return part(words, sizes, (*shape, size(words, sizes))) if words else None


def size(words: list[str], sizes: dict[str, int]) -> int:
    word = words.pop(0)
    if word != "(":
        return sizes[word] if word in sizes else int(word)
    text, depth = "", 1
    while depth:
        word = words.pop(0)
        depth += {"(": 1, ")": -1}.get(word, 0)
        text += word if depth else ""
    return int(eval(text, {}, dict(sizes)))


def leaves(given: Any) -> list[np.ndarray]:
    if isinstance(given, tuple | list):
        return [leaf for one in given for leaf in leaves(one)]
    return [np.asarray(given)]


def flat(given: Any) -> Any:
    """Pairs as JAX's modules take them: `(a, (b, c))` is one of three."""
    if not isinstance(given, tuple):
        return given
    first, second = flat(given[0]), flat(given[1])
    return (first, *second) if isinstance(given[1], tuple) else (first, second)


def seconds(call: Callable[[], object]) -> float:
    """The least of some runs."""
    call()
    times: list[float] = []
    while len(times) < 5 or (sum(times) < 0.2 and len(times) < 2000):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


def row(model: Model, among: list[int], timed: bool) -> Row | None:
    """Both gradients at these sizes; None where the primal is no number, which `jax.grad` doesn't take."""
    import jax

    jax.config.update("jax_enable_x64", True)
    loaded = redexter.load(f"models/{model.file}.arr")
    primal, gradient = loaded[model.primal], loaded[model.gradient]
    if not primal.type.endswith("-> real"):
        return None
    sizes = {name: among[k % len(among)] for k, name in enumerate(primal.sizes)}
    arguments = [value(tokens(type), sizes) for type in primal.parameters.values()]
    if model.file == "cholesky":
        # It takes a matrix that has a square root.
        arguments = [matrix @ matrix.T + 3 * np.eye(len(matrix)) for matrix in arguments]
    term = gradient.apply("fastGradient").term
    # Sizes that no array's length is.
    plain = set(re.findall(r"array (\w+)", " ".join(term.parameters.values())))
    own_sizes = {name: sizes[name] for name in term.sizes if name not in plain}
    code = term.native()

    def derived(*arguments: Any) -> Any:
        return code(*arguments, **own_sizes)

    found = leaves(derived(*arguments))
    function = primal.jax()
    in_front = [sizes[name] for name in inspect.signature(function).parameters if name not in primal.parameters]
    function = functools.partial(function, *in_front)
    real = tuple(k for k, one in enumerate(arguments) if all(leaf.dtype == np.float64 for leaf in leaves(one)))
    slope = jax.jit(jax.grad(function, real))
    given = [jax.tree.map(jax.numpy.asarray, flat(one)) for one in arguments]
    expected = [np.asarray(leaf) for leaf in jax.tree.leaves(slope(*given))]
    # The derivative is by some arguments, in their order.
    apart, rest = 0.0, iter(expected)
    for own in found:
        for other in rest:
            far = np.max(np.abs(own - other), initial=0.0) / max(1.0, np.max(np.abs(other), initial=0.0)) if own.shape == other.shape else np.inf
            if far < 1e-9:
                apart = max(apart, float(far))
                break
        else:
            return Row(model, sum(leaf.size for leaf in found), float("inf"), 0.0, 0.0, 0.0)
    if not timed:
        return Row(model, sum(leaf.size for leaf in found), apart, 0.0, 0.0, 0.0)
    own_time = seconds(lambda: derived(*arguments))
    quick = term.native(fast=True, threads=2)
    fast_time = seconds(lambda: quick(*arguments, **own_sizes))
    jax_time = seconds(lambda: jax.block_until_ready(slope(*given)))
    return Row(model, sum(leaf.size for leaf in found), apart, own_time, fast_time, jax_time)


def main() -> None:
    print("| model | numbers | apart | `native()` | `native(fast=True, threads=2)` | `jax.jit(jax.grad(…))` |\n|---|---|---|---|---|---|")
    for model in models():
        found = row(model, LARGE, True)
        if found is not None:
            print(f"| {model.file}: {model.gradient} | {found.numbers} | {found.apart:.0e} | {found.redexter * 1e6:.1f} | {found.fast * 1e6:.1f} | {found.jax * 1e6:.1f} |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
