"""Runs modules as programs, on arrays of a file, and holds the results against those of their functions."""

import json
import subprocess
import sys

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)


def main():
    folder = sys.argv[1].rpartition("/")[0]
    drawn = np.random.default_rng(7)
    for case in json.load(open(sys.argv[1])):
        file = f"{folder}/{case['name']}.py"
        open(file, "w").write(case["module"])
        given = {name: 0.5 * drawn.normal(size=shape) for name, shape in case["shapes"].items()}
        np.savez(f"{folder}/given.npz", **given)
        for more, tolerance in ((["--float32"], 1e-4), ([], 1e-11)):
            subprocess.run([sys.executable, file, f"{folder}/given.npz", f"{folder}/result.npz", *more], check=True)
            found = np.load(f"{folder}/result.npz")
            scope = {}
            exec(compile(case["module"].split("\ndef main")[0], case["name"], "exec"), scope)
            arguments = eval(case["arguments"], {}, given)
            expected = jax.tree.leaves(scope[case["function"]](*arguments))
            assert len(found.files) == len(expected), found.files
            for own, other in zip(found.values(), expected, strict=True):
                assert own.shape == other.shape and np.max(np.abs(own - other)) <= tolerance * np.max(np.abs(other)), case["name"]
            assert found["arr_0"].dtype == (np.float32 if more else np.float64)
    print("all agree")


main()
