"""Runs exported functions on cases that the evaluator has computed, and says which differ."""

import json
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def data(given, real=np.float64):
    if isinstance(given, list):
        return tuple(data(one, real) for one in given)
    numbers = [float(word) if given["real"] else int(word) for word in given["data"].split()]
    return np.array(numbers, real if given["real"] else np.int64).reshape(given["shape"])


def leaves(tree):
    return [np.asarray(leaf) for leaf in jax.tree.leaves(tree)]


def close(found, expected, tolerance):
    """Whether numbers agree for each 1 of the largest magnitude of the array; NaN is where NaN is."""
    if found.shape != expected.shape:
        return False
    if not expected.size:
        return True
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(found)) or not np.array_equal(found[~finite], expected[~finite], equal_nan=True):
        return False
    most = np.max(np.abs(expected[finite]), initial=0.0)
    return bool(np.all(np.abs(found[finite] - expected[finite]) <= tolerance * np.maximum(1.0, most)))


def said(found, expected, tolerance):
    found, expected = leaves(found), leaves(expected)
    if len(found) != len(expected):
        return f"{len(found)} arrays, not {len(expected)}"
    for own, other in zip(found, expected):
        if not close(own, other, tolerance):
            return f"{own.dtype}{own.shape}\n{own}\nand not\n{other.shape}\n{other}"
    return None


def is_moderate(expected):
    return all(np.all(np.isfinite(leaf)) and np.max(np.abs(leaf), initial=0.0) < 1e4 for leaf in leaves(expected))


def differing(case):
    """What is wrong with a function on its cases, and how many there were. All that is asked at one size is compiled together."""
    scope, primal = {}, {}
    exec(compile(case["module"], case["name"], "exec"), scope)
    exec(compile(case["primal"] or "", "primal", "exec"), primal)
    wrong = []
    for k, run in enumerate(case["runs"]):
        sizes, arguments = run["sizes"], [data(one) for one in run["arguments"]]
        shapes = [leaf.shape for leaf in leaves(arguments)]

        def function(*given):
            return scope["f"](*sizes, *given)

        short = [data(one, np.float32) for one in run["arguments"]]
        by = tuple(k for k, one in enumerate(arguments) if all(leaf.dtype == np.float64 for leaf in leaves(one)))
        is_first = k == 0
        has_gradient = is_first and bool(case["primal"]) and bool(by) and not sizes

        def asked(given, short):
            all = {"values": function(*given)}
            if is_first:
                all["float32"] = function(*short)
            if is_first and given:
                both = jax.tree.map(lambda a: jnp.stack([a, a]), tuple(given))
                all["vmap"] = jax.vmap(function)(*both)
            if has_gradient:
                all["gradients"] = jax.grad(primal["f"], by)(*given)
            return all

        try:
            found = jax.jit(asked)(arguments, short)
        except (IndexError, TypeError) as error:
            if any(min(shape, default=1) <= 1 for shape in shapes) and ("out of bounds" in str(error) or "out of range" in str(error)):
                continue  # JAX reads no element of an array that has none, not even where nobody looks at it
            raise
        expected = data(run["expected"])
        words = [said(found["values"], expected, 1e-12)]
        if is_first and is_moderate(expected):
            words.append(said(found["float32"], expected, 2e-4))
            if any(leaf.dtype == np.float32 for leaf in leaves(short)) and any(
                leaf.dtype == np.float64 for leaf in leaves(found["float32"])
            ):
                words.append("float64 of float32")
        if "vmap" in found:
            words += [said(jax.tree.map(lambda a: a[k], found["vmap"]), expected, 1e-12) for k in range(2)]
        for own in leaves(expected) if has_gradient and is_moderate(expected) else []:
            if not any(close(other, own, 1e-9) for other in leaves(found["gradients"])):
                words.append(f"jax.grad gives none of\n{own}\nbut\n{found['gradients']}")
        wrong += [f"{case['name']} at {shapes}: {word}\n" for word in words if word]
    return wrong


def main():
    cases = json.load(open(sys.argv[1]))
    compared, wrong = 0, []
    for case in cases:
        begun = time.time()
        try:
            wrong += differing(case)
        except Exception as error:  # whatever it is, the others are tried
            words = str(error).strip().splitlines()
            wrong.append(f"{case['name']}: {type(error).__name__}: {' / '.join(words[:3])}\n")
        compared += len(case["runs"])
        if os.environ.get("REDEXTER_TIMES"):
            print(f"{time.time() - begun:.2f} {case['name']}", file=sys.stderr)
    print("".join(wrong), end="")
    print(f"{compared} compared, {len(wrong)} differ")


main()
