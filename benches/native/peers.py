#!/usr/bin/env python3
"""Gradients of the models beside those of JAX, autograd, CasADi and PyTorch, and beside C by hand (hand.c), on one core. A cell
is the peer's time divided by ours: above 1 we are faster. A peer that can't be imported has a column that says so; what a peer
isn't asked, since it would have to be written element by element, is `-`. Start it by peers.sh, which installs the peers."""
import csv
import ctypes
import os
import subprocess
import sys
import tempfile
import time

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
import numpy as np

SECONDS = float(os.environ.get("SECONDS_EACH", "0.5"))
random = np.random.default_rng(1)


def timed(run):
    """The median of runs, after one that isn't counted."""
    run()
    times, begun = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - begun < SECONDS:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def reals(*shape):
    return random.uniform(-1, 1, shape)


# What is differentiated, by its first parameters; `xp` has a peer's functions.
def total(xp, v):
    return xp.sum(v)


def dot(xp, v, w):
    return xp.sum(v * w)


def squares(xp, v):
    return xp.sum(v * v)


def least_squares(xp, x, powers, s):
    r = s - powers @ x
    return 0.5 * xp.sum(r * r)


def linear(xp, w, b, x, y):
    r = x @ w + b - y
    return xp.sum(r * r)


def logistic(xp, w, x, y):
    score = x @ w
    return xp.sum(xp.log(1 + xp.exp(score)) - y * score)


def log_sum_exp(xp, v):
    return xp.lse(v, 0)


def mixture(xp, alpha, mu, q, l, x, below, diagonal):
    factor = l * below + xp.exp(q)[:, :, None] * diagonal
    gap = x[:, None, :] - mu[None, :, :]
    z = xp.einsum("kab,nkb->nka", factor, gap)
    logs = xp.total(q, 1)
    scores = alpha - 0.5 * xp.total(z * z, 2) + logs
    n = x.shape[0]
    return xp.sum(xp.lse(scores, 1)) - n * xp.lse(alpha, 0) - 0.125 * xp.sum(factor * factor) + 2.0 * xp.sum(logs)


def perceptron(xp, w1, b1, w2, b2, w3, b3, x, y):
    r = xp.tanh(xp.tanh(x @ w1.T + b1) @ w2.T + b2) @ w3.T + b3 - y
    return xp.sum(r * r)


def clusters(xp, c, points):
    square = xp.total((points[:, None, :] - c[None, :, :]) ** 2, 2)
    return xp.sum(xp.least(square, 1))


def mixed(d, k):
    n, below = 1000, np.tril(np.ones((d, d)), -1)
    return (reals(k), reals(k, d), 0.3 * reals(k, d), 0.3 * reals(k, d, d)), (reals(n, d), below, np.eye(d))


def workloads():
    """Name, function, what it is differentiated by, constants, our target with sizes, C by hand, whether CasADi is asked."""
    v, w, long_v = reals(50000), reals(50000), reals(1000000)
    yield "vector sum 50,000", total, (v,), (), "vector_sum:gradient n=50000", ("h_vecsum", v), True
    yield "dot 50,000", dot, (v,), (w,), "dot:gradient n=50000", ("h_dot", v, w), True
    yield "sum of squares 50,000", squares, (v,), (), "sum_of_squares:gradient n=50000", ("h_sumsq", v), True
    t, s, x = reals(1000), reals(1000), 0.1 * reals(100)
    powers = t[:, None] ** np.arange(100)
    yield ("least squares 1000x100", least_squares, (x,), (powers, s), "least_squares:gradient n=1000 m=100",
           ("h_lsq", t, s, x), True)
    a, y = reals(1000, 100), reals(1000)
    yield ("linear regression 1000x100", linear, (x, np.float64(0.5)), (a, y), "linear_regression:gradient n=1000 d=100",
           ("h_linreg", a, y, x, 0.5), True)
    yield "logistic 1000x100", logistic, (x,), (a, y), "logistic:gradient n=1000 m=100", ("h_logistic", a, y, x), True
    yield "log-sum-exp 10,000", log_sum_exp, (v[:10000],), (), "log_sum_exp:gradient n=10000", ("h_lse", v[:10000]), False
    yield "log-sum-exp 1,000,000", log_sum_exp, (long_v,), (), "log_sum_exp:gradient n=1000000", ("h_lse", long_v), False
    for d, k in ((2, 5), (10, 5), (10, 25), (32, 25), (64, 5)):
        by, constants = mixed(d, k)
        yield f"mixture d={d} k={k} n=1000", mixture, by, constants, f"mixture:gradient n=1000 d={d} k={k}", ("h_gmm", d, k), False
    yield ("k-means gradient n=10,000 k=10 d=8", clusters, (reals(10, 8),), (reals(10000, 8),),
           "kmeans:gradient n=10000 k=10 d=8", None, False)
    layers = [reals(64, 64), reals(64), reals(64, 64), reals(64), reals(10, 64), reals(10)]
    yield ("perceptron 1000x64x64x64x10", perceptron, tuple(0.1 * w for w in layers), (reals(1000, 64), reals(1000, 10)),
           "perceptron_deep:gradient n=1000 d=64 g=64 h=64 o=10", None, False)


def ours(target):
    program, *sizes = target.split()
    with tempfile.NamedTemporaryFile(suffix=".csv") as table:
        others = [part for size in sizes[1:] for part in ("--size", size)]
        command = [os.environ["REDEXTER"], "bench", f"models/{program.replace(':', '.arr:')}", "--apply", "fastGradient",
                   "--sizes", sizes[0], *others, "--seconds", str(SECONDS), "--csv", table.name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return float(next(csv.DictReader(open(table.name)))["median_ns"]) * 1e-9


class Jax:
    def __init__(self):
        import jax
        import jax.numpy as jnp
        jax.config.update("jax_enable_x64", True)
        self.jax, self.jnp = jax, jnp
        self.sum, self.exp, self.log, self.tanh, self.einsum = jnp.sum, jnp.exp, jnp.log, jnp.tanh, jnp.einsum
        self.total, self.lse, self.least = jnp.sum, jax.scipy.special.logsumexp, jnp.min

    def time(self, f, by, constants):
        gradient = self.jax.jit(self.jax.grad(lambda *all: f(self, *all), argnums=tuple(range(len(by)))))
        given = [self.jnp.asarray(x) for x in (*by, *constants)]
        return timed(lambda: self.jax.block_until_ready(gradient(*given)))


class Autograd:
    def __init__(self):
        import autograd
        import autograd.numpy as anp
        self.autograd = autograd
        self.sum, self.exp, self.log, self.tanh, self.einsum = anp.sum, anp.exp, anp.log, anp.tanh, anp.einsum
        self.total, self.least = anp.sum, anp.min

        def lse(x, axis):
            most = anp.max(x, axis=axis, keepdims=True)
            return anp.sum(most, axis=axis) + anp.log(anp.sum(anp.exp(x - most), axis=axis))
        self.lse = lse

    def time(self, f, by, constants):
        gradient = self.autograd.grad(lambda all: f(self, *all, *constants))
        return timed(lambda: gradient(tuple(by)))


class Torch:
    def __init__(self):
        import torch
        torch.set_num_threads(1)
        self.torch = torch
        self.sum, self.exp, self.log, self.tanh, self.einsum = torch.sum, torch.exp, torch.log, torch.tanh, torch.einsum
        self.total, self.lse, self.least = torch.sum, torch.logsumexp, torch.amin

    def time(self, f, by, constants):
        by = [self.torch.tensor(x, dtype=self.torch.float64, requires_grad=True) for x in by]
        constants = [self.torch.tensor(x, dtype=self.torch.float64) for x in constants]
        return timed(lambda: self.torch.autograd.grad(f(self, *by, *constants), by))


class Casadi:
    def __init__(self):
        import casadi
        self.casadi = casadi
        self.exp, self.log, self.sum = casadi.exp, casadi.log, casadi.sum1

    def time(self, f, by, constants):
        ca = self.casadi
        symbols = [ca.MX.sym(f"x{k}", *np.atleast_1d(x).shape) for k, x in enumerate(by)]
        loss = f(self, *symbols, *[ca.DM(x) for x in constants])
        gradient = ca.Function("g", symbols, [ca.gradient(loss, x) for x in symbols])
        given = [ca.DM(x) for x in by]
        return timed(lambda: gradient(*given))


def by_hand(library, call):
    """C by hand, with room for its results."""
    if call is None or library is None:
        return None
    name, *given = call
    pointer = lambda x: x.ctypes.data_as(ctypes.c_void_p)
    if name == "h_gmm":
        return gmm_by_hand(library, *given)
    arrays = [x for x in given if isinstance(x, np.ndarray)]
    shape = max((x.shape for x in arrays), key=len)
    sizes = [shape[0], *shape[1:]] if name != "h_lsq" else [len(given[0]), len(given[2])]
    keep = [np.ascontiguousarray(x) for x in arrays]
    arguments = [ctypes.c_long(n) for n in sizes]
    left = iter(keep)
    arguments += [pointer(next(left)) if isinstance(x, np.ndarray) else ctypes.c_double(x) for x in given]
    room = [np.zeros(max(x.size for x in keep) + 8) for _ in range(2)]
    results = [pointer(x) for x in room[: 2 if name == "h_linreg" else 1]]
    function = getattr(library, name)
    function.restype = None
    return timed(lambda: function(*arguments, *results))


def gmm_by_hand(library, d, k):
    (alpha, mu, q, l), (x, _, _) = mixed(d, k)
    room = [np.zeros(n) for n in (k, k * d, k * d, k * d * d, (10 * k * d + 64) * 64)]
    pointer = lambda x: x.ctypes.data_as(ctypes.c_void_p)
    arguments = [ctypes.c_long(1000), ctypes.c_long(d), ctypes.c_long(k), pointer(x), ctypes.c_long(2), ctypes.c_double(0.5)]
    arguments += [pointer(x) for x in (alpha, mu, q, l, *room)]
    function = library.h_gmm_tuned
    function.restype = None
    return timed(lambda: function(*arguments))


def peer(kind):
    try:
        return kind()
    except Exception as why:
        print(f"{kind.__name__} can't be used: {why}", file=sys.stderr)
        return None


def main():
    library = ctypes.CDLL(os.environ["HAND"])
    peers = {kind.__name__: peer(kind) for kind in (Jax, Autograd, Casadi, Torch)}
    print("| workload | ours | C by hand | " + " | ".join(peers) + " |\n|---|---|---|" + "---|" * len(peers))
    for name, f, by, constants, target, call, is_simple in workloads():
        mine = ours(target)
        cells = [by_hand(library, call)]
        for kind, peer_ in peers.items():
            if peer_ is None:
                cells.append("not installed")
            elif kind == "Casadi" and not is_simple:
                cells.append(None)
            else:
                try:
                    cells.append(peer_.time(f, by, constants))
                except Exception as why:
                    print(f"{kind}, {name}: {why}", file=sys.stderr)
                    cells.append("failed")
        said = ["-" if c is None else c if isinstance(c, str) else f"{c / mine:.2f}" for c in cells]
        unit, scale = ("µs", 1e6) if mine < 1e-3 else ("ms", 1e3)
        print(f"| {name} | {mine * scale:.3g} {unit} | " + " | ".join(said) + " |", flush=True)


if __name__ == "__main__":
    main()
