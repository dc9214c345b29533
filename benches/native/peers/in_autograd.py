"""The workloads in autograd. Loops with a state, scatters and stencils aren't written."""

import autograd.numpy as np
from autograd import grad, jacobian
from autograd.scipy.special import logsumexp


def regression(a, y, w, b):
    return np.sum((np.dot(a, w) + b - y) ** 2)


def logistic(a, y, w):
    score = np.dot(a, w)
    return np.sum(np.log(1 + np.exp(score)) - y * score)


def polynomial(t, s, x):
    powers = t[:, None] ** np.arange(x.shape[0])
    return 0.5 * np.sum((s - np.dot(powers, x)) ** 2)


def mixture(x, m, gamma, alpha, mu, q, l):
    n, d = x.shape
    factor = l * np.tril(np.ones((d, d)), -1) + np.exp(q)[:, :, None] * np.eye(d)
    sums = np.sum(q, axis=1)
    scaled = np.einsum("kab,nkb->nka", factor, x[:, None, :] - mu)
    scores = alpha + sums - 0.5 * np.sum(scaled**2, axis=2)
    prior = -0.5 * gamma**2 * np.sum(factor**2) + m * np.sum(sums)
    return np.sum(logsumexp(scores, axis=1)) - n * logsumexp(alpha) + prior


def distances(points, centres):
    squares = np.sum(points**2, 1)[:, None] + np.sum(centres**2, 1) - 2 * np.dot(points, centres.T)
    return np.sum(np.min(squares, axis=1))


def newton(points, centres):
    first = grad(distances, 1)
    # The second derivatives are on the diagonal alone, and their sums by rows are a product with ones.
    second = grad(lambda c: np.sum(first(points, c)))(centres)
    return first(points, centres) / second


def perceptron(x, y, w1, b1, w2, b2, w3, b3):
    first = np.tanh(np.dot(x, w1.T) + b1)
    second = np.tanh(np.dot(first, w2.T) + b2)
    return np.sum((np.dot(second, w3.T) + b3 - y) ** 2)


GRADIENTS = {
    "vector_sum": grad(np.sum),
    "dot": grad(np.dot),
    "sum_of_squares": grad(lambda v: np.sum(v * v)),
    "log_sum_exp": grad(logsumexp),
    "matrix_vector": lambda a, x: jacobian(lambda u: np.dot(a, u))(x).T,
    "linear": grad(regression, (2, 3)),
    "logistic": grad(logistic, 2),
    "least_squares": grad(polynomial, 2),
    "mixture": grad(mixture, (3, 4, 5, 6)),
    "kmeans": newton,
    "perceptron": grad(perceptron, tuple(range(2, 8))),
}


def make(workload):
    gradient = GRADIENTS.get(workload.kind)
    inputs = [float(v) if isinstance(v, int) else v for v in workload.inputs]
    return gradient and (lambda: gradient(*inputs))
