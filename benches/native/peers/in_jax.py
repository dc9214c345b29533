"""The workloads in JAX, compiled ahead of the runs, in doubles. Losses that `memory.py` has, too, are written there."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.nn import softmax
from jax.scipy.special import logsumexp

import memory

jax.config.update("jax_enable_x64", True)


def regression(a, y, w, b):
    return jnp.sum((a @ w + b - y) ** 2)


def logistic(a, y, w):
    score = a @ w
    return jnp.sum(jnp.log(1 + jnp.exp(score)) - y * score)


def polynomial(t, s, x):
    powers = t[:, None] ** jnp.arange(x.shape[0])
    return 0.5 * jnp.sum((s - powers @ x) ** 2)


def mixture(x, m, gamma, alpha, mu, q, l):
    n, d = x.shape
    factor = jnp.tril(l, -1) + jnp.exp(q)[:, :, None] * jnp.eye(d)
    sums = jnp.sum(q, axis=1)
    scaled = jnp.einsum("kab,nkb->nka", factor, x[:, None, :] - mu)
    scores = alpha + sums - 0.5 * jnp.sum(scaled**2, axis=2)
    prior = -0.5 * gamma**2 * jnp.sum(factor**2) + m * jnp.sum(sums)
    return jnp.sum(logsumexp(scores, axis=1)) - n * logsumexp(alpha) + prior


def distances(points, centres):
    squares = jnp.sum(points**2, 1)[:, None] + jnp.sum(centres**2, 1) - 2 * points @ centres.T
    return jnp.sum(jnp.min(squares, axis=1))


def newton(points, centres):
    first = jax.grad(distances, 1)
    _, second = jax.jvp(lambda c: first(points, c), (centres,), (jnp.ones_like(centres),))
    return first(points, centres) / second


def perceptron(x, y, w1, b1, w2, b2, w3, b3):
    first = jnp.tanh(x @ w1.T + b1)
    second = jnp.tanh(first @ w2.T + b2)
    return jnp.sum((second @ w3.T + b3 - y) ** 2)


def error(feature, p):
    r, x = p[:3], p[11:14] - p[3:6]
    square = jnp.dot(r, r)
    angle = jnp.sqrt(jnp.where(square == 0, 1.0, square))
    axis, cos, sin = r / angle, jnp.cos(angle), jnp.sin(angle)
    turned = x * cos + jnp.cross(axis, x) * sin + axis * jnp.dot(axis, x) * (1 - cos)
    seen = jnp.where(square == 0, x + jnp.cross(r, x), turned)
    u = seen[:2] / seen[2]
    rho = jnp.dot(u, u)
    return p[14] * (p[6] * (1 + p[9] * rho + p[10] * rho**2) * u + p[7:9] - feature)


def block(feature, p):
    return jax.jacrev(error, 1)(feature, p).T


def recurrent_cell(x, y, w, u, c):
    def step(state, now):
        state = jnp.tanh(w @ state + u @ now)
        return state, state

    return jnp.sum((lax.scan(step, jnp.zeros_like(c), x)[1] @ c - y) ** 2)


def hidden_markov(seen, start, moves, shows):
    p, q = softmax(moves, axis=1), softmax(shows, axis=1)

    def step(state, now):
        total = jnp.sum(state)
        return q[:, now] * (state @ p) / total, jnp.log(total)

    ends, totals = lax.scan(step, softmax(start), seen)
    return -(jnp.sum(totals) + jnp.log(jnp.sum(ends)))


def runge_kutta(prey, predators, first, second, rates):
    """Here an array of pairs is one array."""
    return memory.runge_kutta(jnp.stack([prey, predators], axis=1), jnp.stack([first, second]), rates)


def cholesky(a):
    """By what is below the diagonal."""
    factor = jnp.linalg.cholesky(jnp.tril(a) + jnp.tril(a, -1).T, symmetrize_input=False)
    return 2 * jnp.sum(jnp.log(jnp.diag(factor)))


def springs(start, end, stiff, rest, x):
    return jnp.sum(stiff * (jnp.sqrt(jnp.sum((x[end] - x[start]) ** 2, axis=1) + 1e-6) - rest) ** 2)


def matrix_completion(row, column, y, u, v, a, b):
    p, q = u[row], v[column]
    return jnp.sum((jnp.sum(p * q, axis=1) + a[row] + b[column] - y) ** 2) + 0.01 * jnp.sum(p**2 + q**2)


GRADIENTS = {
    "vector_sum": jax.grad(jnp.sum),
    "dot": jax.grad(jnp.dot),
    "sum_of_squares": jax.grad(lambda v: jnp.sum(v * v)),
    "log_sum_exp": jax.grad(logsumexp),
    "matrix_vector": lambda a, x: jax.jacrev(lambda u: a @ u)(x).T,
    "linear": jax.grad(regression, (2, 3)),
    "logistic": jax.grad(logistic, 2),
    "least_squares": jax.grad(polynomial, 2),
    "mixture": jax.grad(mixture, (3, 4, 5, 6)),
    "kmeans": newton,
    "perceptron": jax.grad(perceptron, tuple(range(2, 8))),
    "bundle": jax.vmap(block),
    "lstm": memory.DERIVATIVES["lstm:gradient"],
    "recurrent_cell": jax.grad(recurrent_cell, (2, 3, 4)),
    "kalman": memory.DERIVATIVES["kalman:gradient"],
    "runge_kutta": jax.grad(runge_kutta, 4),
    "hidden_markov": jax.grad(hidden_markov, (1, 2, 3)),
    "random_field": memory.DERIVATIVES["random_field:gradient"],
    "heat": memory.DERIVATIVES["heat:gradient"],
    "cholesky": jax.grad(cholesky),
    "springs": jax.grad(springs, 4),
    "matrix_completion": jax.grad(matrix_completion, (3, 4, 5, 6)),
    "word_vectors": memory.DERIVATIVES["word2vec:gradient"],
}


def make(workload):
    inputs = [jnp.asarray(v, v.dtype if isinstance(v, np.ndarray) else jnp.float64) for v in workload.inputs]
    gradient = jax.jit(GRADIENTS[workload.kind]).lower(*inputs).compile()
    return lambda: jax.block_until_ready(gradient(*inputs))
