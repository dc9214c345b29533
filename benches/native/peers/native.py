"""What is written in C: exported by redexter, and by hand. Both are compiled here, and called through ctypes."""

import ctypes
import os
import subprocess
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
KINDS = ("exact", "fast")


def flags(kind):
    """As `eval --native` compiles for this machine: to the bit, or with --fast."""
    return " ".join((ROOT / "crates/running/src/native/flags" / f"{name}.txt").read_text() for name in ("every", kind, f"{kind}_gcc")).split()


FAST = ["-O3", "-march=native", "-ffast-math"]


def vectors():
    """How many doubles this machine's vectors have."""
    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    return "8" if "avx512dq" in flags else "4" if "avx2" in flags else "2"


def compiled(source, flags):
    library = Path(source).with_suffix(".so")
    subprocess.run(["cc", "-std=gnu11", "-w", "-fPIC", "-shared", *flags, "-o", library, source, "-lmvec", "-lm"], check=True)
    return ctypes.CDLL(str(library))


def exported(workload, folder, kind):
    """The exported function, and that of its arena."""
    model, name = workload.target.split(":")
    path = model if model.endswith(".arr") else f"models/{model}.arr"
    file = Path(folder) / f"{kind}_{Path(path).stem}_{name}"
    command = [os.environ["REDEXTER"], "export", "c", f"{path}:{name}", "--apply", "fastGradient", "-o", str(file)]
    command += ["--vectors", vectors(), *(["--fast"] if kind == "fast" else [])]
    subprocess.run(command, check=True, cwd=ROOT)
    library = compiled(file.with_suffix(".c"), flags(kind))
    symbol = f"{file.name}_{name}"
    return library[symbol], library[f"{symbol}_arena"]


def argument(value):
    if isinstance(value, np.ndarray):
        return value.ctypes.data_as(ctypes.c_void_p)
    return ctypes.c_int64(value) if isinstance(value, int) else ctypes.c_double(value)


def caller(function, arguments, results):
    """Calls it with arguments that stay the same."""
    converted = [argument(a) for a in arguments]
    function.argtypes = [type(a) for a in converted]
    function.restype = None

    def call():
        function(*converted)
        return results

    return call


def empty(workload):
    return [np.zeros(shape) for shape in workload.results]


def redexter(workload, folder, kind):
    function, arena_of = exported(workload, folder, kind)
    arena_of.restype = ctypes.c_size_t
    sizes = [ctypes.c_int64(n) for n in workload.sizes]
    arena = np.zeros(arena_of(*(sizes if workload.sizes else [])) // 8 + 8)
    results = empty(workload)
    return caller(function, [*workload.sizes, *workload.inputs, *results, arena], results)


def by_hand(workload, hand):
    results, inputs = empty(workload), list(workload.inputs)
    if workload.kind == "matrix_vector":
        inputs = inputs[:1]  # the Jacobian is the same everywhere
    arguments = [*workload.sizes, *inputs, *results]
    if workload.space:
        arguments.append(np.zeros(workload.space))
    return caller(hand[workload.hand], arguments, results)
