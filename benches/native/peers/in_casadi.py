"""The workloads in CasADi: graphs of matrices, evaluated by its own machine.

k-means, bundle adjustment, loops with a state, scatters and stencils aren't written.
"""

import casadi as ca
import numpy as np


def log_sum_exp(v):
    return ca.logsumexp(v)


def regression(a, y, w, b):
    return ca.sumsqr(ca.mtimes(a, w) + b - y)


def logistic(a, y, w):
    score = ca.mtimes(a, w)
    return ca.sum1(ca.log(1 + ca.exp(score)) - y * score)


def polynomial(t, s, x):
    powers = [ca.MX.ones(t.shape[0], 1)]
    for _ in range(x.shape[0] - 1):
        powers.append(powers[-1] * t)
    return 0.5 * ca.sumsqr(s - ca.mtimes(ca.horzcat(*powers), x))


def perceptron(x, y, w1, b1, w2, b2, w3, b3):
    ones = ca.MX.ones(x.shape[0], 1)
    first = ca.tanh(ca.mtimes(x, w1.T) + ca.mtimes(ones, b1.T))
    second = ca.tanh(ca.mtimes(first, w2.T) + ca.mtimes(ones, b2.T))
    return ca.sumsqr(ca.mtimes(second, w3.T) + ca.mtimes(ones, b3.T) - y)


# Each with the positions of what it is differentiated by.
OBJECTIVES = {
    "vector_sum": (ca.sum1, [0]),
    "dot": (ca.dot, [0]),
    "sum_of_squares": (ca.sumsqr, [0]),
    "log_sum_exp": (log_sum_exp, [0]),
    "matrix_vector": (ca.mtimes, [1]),
    "linear": (regression, [2, 3]),
    "logistic": (logistic, [2]),
    "least_squares": (polynomial, [2]),
    "perceptron": (perceptron, range(2, 8)),
}


def make(workload):
    if workload.kind not in OBJECTIVES:
        return None
    objective, by = OBJECTIVES[workload.kind]
    values = [np.atleast_1d(np.asarray(v, float)) for v in workload.inputs]
    symbols = [ca.MX.sym(f"v{k}", *(v.shape if v.ndim == 2 else (v.size, 1))) for k, v in enumerate(values)]
    value = objective(*symbols)
    slopes = [ca.jacobian(value, symbols[k]) if value.numel() > 1 else ca.gradient(value, symbols[k]) for k in by]
    function = ca.Function("f", symbols, [ca.densify(s.T if value.numel() > 1 else s) for s in slopes])
    buffer, evaluate = function.buffer()
    # CasADi's matrices go down the columns.
    given = [v.ravel(order="F") for v in values]
    results = [np.zeros(s.numel()) for s in slopes]
    for k, v in enumerate(given):
        buffer.set_arg(k, memoryview(v))
    for k, v in enumerate(results):
        buffer.set_res(k, memoryview(v))
    shapes = [shape if len(shape) == 2 else (shape[0], 1) for shape in workload.results]

    def call():
        evaluate()
        return [v.reshape(shape, order="F") for v, shape in zip(results, shapes)]

    call.holds = (function, buffer, given)
    return call
