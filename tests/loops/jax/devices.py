"""Runs exported functions over eight devices, and counts what these say to each other."""

import json
import re
import sys

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
WORDS = ("all-reduce", "all-gather", "all-to-all", "collective-permute")


def arguments(sizes, shapes):
    drawn = np.random.default_rng(7)
    for shape in shapes:
        if isinstance(shape, (int, float)):
            yield shape
        else:
            yield 0.5 * drawn.normal(size=[sizes[size] for size in shape])


def compiled(scope, mesh, given):
    """The result, and the program of the devices."""
    texts, plain = [], jax.jit

    def spying(function, **options):
        made = plain(function, **options)

        def call(*given):
            texts.append(made.lower(*given).compile())
            return made(*given)

        return call

    jax.jit = spying
    try:
        return scope["sharded"](mesh)(*given), texts[-1]
    finally:
        jax.jit = plain


def main():
    for case in json.load(open(sys.argv[1])):
        scope = {}
        exec(compile(case["module"], case["name"], "exec"), scope)
        axes = tuple(case["mesh"])
        for n in (16_000, 16_001):
            given = list(arguments({**case["sizes"], "n": n}, case["shapes"]))
            expected = jax.tree.leaves(jax.jit(scope["gradient"])(*given))
            for kind in (jax.sharding.AxisType.Auto, jax.sharding.AxisType.Explicit):
                mesh = jax.make_mesh(tuple(case["mesh"].values()), axes, axis_types=(kind,) * len(axes))
                found, made = compiled(scope, mesh, given)
                for own, other in zip(jax.tree.leaves(found), expected):
                    error = np.max(np.abs(own - other)) / max(1e-300, np.max(np.abs(other)))
                    assert own.shape == other.shape and error < 1e-11, f"{case['name']} at {n}: {error}"
                text = made.as_text()
                counts = [len(re.findall(rf" {word}(?:-start)?\(", text)) for word in WORDS]
                sums = len(re.findall(r"lax\.(?:psum|pmax|pmin)\(", case["module"]))
                assert 1 <= counts[0] <= sums and counts[1:] == [0, 0, 0], f"{case['name']} at {n}: {counts}, not {sums}"
    print("all agree")


main()
