"""The workloads in PyTorch, on the processor, in doubles. Loops with a state, scatters and stencils aren't written."""

import torch
from torch.func import grad, jacrev, jvp, vmap

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)


def regression(a, y, w, b):
    return torch.sum((a @ w + b - y) ** 2)


def logistic(a, y, w):
    score = a @ w
    return torch.sum(torch.log(1 + torch.exp(score)) - y * score)


def polynomial(t, s, x):
    powers = t[:, None] ** torch.arange(x.shape[0])
    return 0.5 * torch.sum((s - powers @ x) ** 2)


def mixture(x, m, gamma, alpha, mu, q, l):
    n, d = x.shape
    factor = torch.tril(l, -1) + torch.exp(q)[:, :, None] * torch.eye(d)
    sums = torch.sum(q, 1)
    scaled = torch.einsum("kab,nkb->nka", factor, x[:, None, :] - mu)
    scores = alpha + sums - 0.5 * torch.sum(scaled**2, 2)
    prior = -0.5 * gamma**2 * torch.sum(factor**2) + m * torch.sum(sums)
    return torch.sum(torch.logsumexp(scores, 1)) - n * torch.logsumexp(alpha, 0) + prior


def distances(points, centres):
    squares = torch.sum(points**2, 1)[:, None] + torch.sum(centres**2, 1) - 2 * points @ centres.T
    return torch.sum(torch.min(squares, 1).values)


def newton(points, centres):
    first, second = jvp(lambda c: grad(distances, 1)(points, c), (centres,), (torch.ones_like(centres),))
    return first / second


def perceptron(x, y, w1, b1, w2, b2, w3, b3):
    first = torch.tanh(x @ w1.T + b1)
    second = torch.tanh(first @ w2.T + b2)
    return torch.sum((second @ w3.T + b3 - y) ** 2)


def error(feature, p):
    r, x = p[:3], p[11:14] - p[3:6]
    angle = torch.sqrt(torch.dot(r, r))
    axis, cos, sin = r / angle, torch.cos(angle), torch.sin(angle)
    seen = x * cos + torch.linalg.cross(axis, x) * sin + axis * torch.dot(axis, x) * (1 - cos)
    u = seen[:2] / seen[2]
    rho = torch.dot(u, u)
    return p[14] * (p[6] * (1 + p[9] * rho + p[10] * rho**2) * u + p[7:9] - feature)


GRADIENTS = {
    "vector_sum": grad(torch.sum),
    "dot": grad(torch.dot),
    "sum_of_squares": grad(lambda v: torch.sum(v * v)),
    "log_sum_exp": grad(lambda v: torch.logsumexp(v, 0)),
    "matrix_vector": lambda a, x: jacrev(lambda u: a @ u)(x).T,
    "linear": grad(regression, (2, 3)),
    "logistic": grad(logistic, 2),
    "least_squares": grad(polynomial, 2),
    "mixture": grad(mixture, (3, 4, 5, 6)),
    "kmeans": newton,
    "perceptron": grad(perceptron, tuple(range(2, 8))),
    "bundle": vmap(lambda feature, p: jacrev(error, 1)(feature, p).T),
}


def make(workload):
    gradient = GRADIENTS.get(workload.kind)
    inputs = [torch.as_tensor(v, dtype=torch.float64) for v in workload.inputs]
    return gradient and (lambda: gradient(*inputs))
