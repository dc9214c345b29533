"""The workloads: inputs, and which model and which function by hand stand for each.

It knows nothing of the peers. Inputs are arrays of doubles or indices in C's order; numbers stand for themselves.
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Workload:
    """A gradient at fixed inputs."""

    kind: str  # what the peers call it
    title: str
    target: str  # the definition, MODEL:NAME
    sizes: list[int]  # as the exported function takes them
    inputs: list  # arrays and numbers, as the definition takes them
    results: list[tuple[int, ...]]  # the shapes of what is asked for
    hand: str  # the function by hand
    space: int = 0  # how many doubles that one needs besides


def vectors(rng):
    n = 50_000
    v, w = rng.standard_normal(n), rng.standard_normal(n)
    yield Workload("vector_sum", "vector sum 50,000", "vector_sum:gradient", [n], [v], [(n,)], "h_vecsum")
    yield Workload("dot", "dot 50,000", "dot:gradient", [n], [v, w], [(n,)], "h_dot")
    yield Workload("sum_of_squares", "sum of squares 50,000", "sum_of_squares:gradient", [n], [v], [(n,)], "h_sumsq")
    for n in (10_000, 1_000_000):
        v = rng.standard_normal(n)
        yield Workload("log_sum_exp", f"log-sum-exp {n:,}", "log_sum_exp:gradient", [n], [v], [(n,)], "h_lse")


def matrices(rng):
    n = 300
    a, x = rng.standard_normal((n, n)), rng.standard_normal(n)
    target = "matrix_vector:jacobianByVector"
    yield Workload("matrix_vector", "matrix-vector Jacobian 300", target, [n, n], [a, x], [(n, n)], "h_matvec")
    n, m = 1_000, 100
    a, y, w = rng.standard_normal((n, m)), rng.standard_normal(n), 0.1 * rng.standard_normal(m)
    target = "linear_regression:gradient"
    yield Workload("linear", "linear regression 1000x100", target, [n, m], [a, y, w, 0.5], [(m,), (1,)], "h_linreg")
    labels = (y > 0).astype(float)
    yield Workload("logistic", "logistic regression 1000x100", "logistic:gradient", [n, m], [a, labels, w], [(m,)], "h_logistic")
    t = rng.uniform(-1, 1, n)
    yield Workload("least_squares", "least squares 1000x100", "least_squares:gradient", [n, m], [t, y, w], [(m,)], "h_lsq")


def mixtures(rng):
    n = 1_000
    for d, k in ((2, 5), (10, 5), (20, 25), (64, 50)):
        below = np.tril(np.ones((d, d)), -1)
        parameters = [rng.standard_normal(k), rng.uniform(size=(k, d)), 0.3 * rng.standard_normal((k, d))]
        factors = 0.3 * rng.standard_normal((k, d, d)) * below
        inputs = [rng.standard_normal((n, d)), 2, 0.5, *parameters, factors]
        shapes = [(k,), (k, d), (k, d), (k, d, d)]
        space = (10 * k * d + 64) * 64
        yield Workload("mixture", f"mixture ({d},{k}), n = 1,000", "mixture:gradient", [n, d, k], inputs, shapes, "h_gmm_tuned", space)


def clusters(rng):
    n, d = 10_000, 16
    for k in (10, 100, 1_000):
        points = rng.uniform(size=(n, d))
        inputs = [points, points[-k:].copy()]
        yield Workload("kmeans", f"k-means k = {k:,}, n = 10,000", "kmeans:dir", [n, d, k], inputs, [(k, d)], "h_kmeans", k)


def networks(rng):
    n, d, g, h, o = 1_000, 64, 64, 64, 10
    layers = [0.1 * rng.standard_normal(s) for s in ((g, d), (g,), (h, g), (h,), (o, h), (o,))]
    inputs = [rng.standard_normal((n, d)), rng.standard_normal((n, o)), *layers]
    shapes = [layer.shape for layer in layers]
    target = "perceptron_deep:gradient"
    yield Workload("perceptron", "perceptron 1000x64x64x64x10", target, [n, d, o, g, h], inputs, shapes, "h_mlp", 4 * (g + h + o))


def observations(rng):
    n = 31_843
    camera = [0.1, -0.2, 0.3, 0.5, -0.4, 0.2, 1.5, 0.1, 0.2, 0.01, 0.001]
    p = np.array(camera + [0.3, 0.4, 5.0, 0.7]) + 0.01 * rng.standard_normal((n, 15))
    features = rng.standard_normal((n, 2))
    target = "benches/native/bundle.arr:blocks"
    yield Workload("bundle", "bundle adjustment, 31,843", target, [n], [features, p], [(n, 15, 2)], "h_ba")


def recurrences(rng):
    t, d, h = 100, 64, 64
    layers = [0.1 * rng.standard_normal(s) for s in ((4, h, d), (4, h, h), (4, h))]
    inputs, shapes = [rng.standard_normal((t, d)), rng.standard_normal((t, h)), *layers], [layer.shape for layer in layers]
    space = 4 * h * (d + h + t) + t * h + 2 * (t + 2) * h
    yield Workload("lstm", "LSTM 100x64x64", "lstm:gradient", [t, d, h], inputs, shapes, "h_lstm", space)
    t, d, h = 614, 60, 60
    layers = [0.1 * rng.standard_normal(s) for s in ((h, h), (h, d), (h,))]
    inputs, shapes = [rng.standard_normal((t, d)), rng.standard_normal(t), *layers], [layer.shape for layer in layers]
    target, space = "recurrent_cell:gradient", h * (h + d) + 2 * (t + 1) * h
    yield Workload("recurrent_cell", "recurrent cell 614x60x60", target, [t, d, h], inputs, shapes, "h_recurrent_cell", space)
    t = 1_000
    y = np.cumsum(0.1 * rng.standard_normal(t)) + rng.standard_normal(t)
    yield Workload("kalman", "Kalman filter 1,000", "kalman:gradient", [t], [y, 0.99, 0.1, 1.0], [(1,), (1,)], "h_kalman", 3 * t)
    prey, predators = rng.uniform(0.5, 2, (2, t))
    inputs, target = [prey, predators, 1.0, 0.8, np.array([0.9, 1.0, 0.8, 1.1])], "runge_kutta:gradient"
    yield Workload("runge_kutta", "Runge and Kutta 1,000", target, [t], inputs, [(4,)], "h_runge_kutta", 8 * t)


def sequences(rng):
    t, k = 1_000, 32
    moves, shows = rng.standard_normal((2, k, k))
    inputs, shapes = [rng.integers(0, k, t), rng.standard_normal(k), moves, shows], [(k,), (k, k), (k, k)]
    target, space = "hidden_markov:gradient", 5 * k * k + (2 * t + 1) * k
    yield Workload("hidden_markov", "hidden Markov 1000x32x32", target, [t, k, k], inputs, shapes, "h_hidden_markov", space)
    inputs, shapes = [rng.integers(0, k, t + 1), moves, rng.standard_normal((t + 1, k))], [(k, k), (t + 1, k)]
    target, space = "random_field:gradient", 2 * (t + 1) * k
    yield Workload("random_field", "random field 1000x32", target, [t, k], inputs, shapes, "h_random_field", space)


def grids(rng):
    n, s = 10_000, 100
    inputs = [rng.standard_normal(s), *rng.standard_normal((2, n)), rng.uniform(0, 0.25, n)]
    yield Workload("heat", "heat 10,000x100", "heat:gradient", [s, n], inputs, [(n,), (n,)], "h_heat", (s + 2) * (n + 2))
    n = 100
    a = rng.standard_normal((n, n))
    a = a @ a.T / n + np.eye(n)
    yield Workload("cholesky", "Cholesky 100", "cholesky:gradient", [n], [a], [(n, n)], "h_cholesky", 2 * n * n + n)


def scatters(rng):
    m, n, d = 100_000, 3_000, 3
    inputs = [*rng.integers(0, n, (2, m)), *rng.uniform(0.5, 1.5, (2, m)), rng.standard_normal((n, d))]
    yield Workload("springs", "springs 100,000 of 3,000", "springs:gradient", [m, n, d], inputs, [(n, d)], "h_springs", 512 * d)
    m, n, k, d = 1_000_000, 10_000, 2_000, 16
    parameters = [0.3 * rng.standard_normal(s) for s in ((n, d), (k, d), (n,), (k,))]
    inputs = [rng.integers(0, n, m), rng.integers(0, k, m), rng.standard_normal(m), *parameters]
    shapes, target = [p.shape for p in parameters], "matrix_completion:gradient"
    title = "matrix completion 1,000,000, rank 16"
    yield Workload("matrix_completion", title, target, [m, n, k, d], inputs, shapes, "h_matrix_completion")
    n, v, q, d = 20_000, 5_000, 5, 64
    inputs = [rng.integers(0, v, n), rng.integers(0, v, n), rng.integers(0, v, (n, q)), *(0.1 * rng.standard_normal((2, v, d)))]
    target, shapes = "word_vectors:gradient", [(v, d), (v, d)]
    yield Workload("word_vectors", "word vectors 20,000x64", target, [n, v, q, d], inputs, shapes, "h_word_vectors")


def all_of_them():
    rng = np.random.default_rng(1)
    families = (vectors, matrices, mixtures, clusters, networks, observations, recurrences, sequences, grids, scatters)
    for family in families:
        yield from family(rng)
