"""What native code holds besides inputs and results, in bytes, beside what jitted JAX needs for the same derivatives.

Ours are the numbers in `tests/measured/table.txt`; JAX's the temporaries of what it compiles for a CPU, in doubles, at the larger
inputs there. Losses are written as its users write them: whole arrays, `scan` where a loop has a state, no `checkpoint` and no
`lax.map` for less memory; where several ways are usual, the one that needs least. Before its row is printed, each derivative is
compared with the values that are known; a row that's apart from them is marked, and the exit status is then 1. Start it by a
Python that has jax: `python benches/native/peers/memory.py`.
"""

import json
import sys
from inspect import signature
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, vmap
from jax.nn import log_softmax, sigmoid, softplus
from jax.scipy.special import erf, logsumexp

jax.config.update("jax_enable_x64", True)

MEASURED = Path(__file__).resolve().parents[3] / "tests/measured"
FAR = 1e-9

# By their names in the table.
DERIVATIVES = {}


def by(*names):
    """Adds the gradient of a loss by these of its arguments."""

    def added(loss):
        places = list(signature(loss).parameters)
        DERIVATIVES[f"{loss.__name__}:gradient"] = jax.grad(loss, tuple(places.index(name) for name in names))
        return loss

    return added


def last(step, state, steps):
    """The state after as many steps, of which each is the same."""
    return lax.scan(lambda state, _: (step(state), None), state, None, len(steps))[0]


@by("mu", "phi", "th", "ls")
def arma(y, mu, phi, th, ls):
    def step(state, now):
        before, error = state
        error = now - (mu + phi * before + th * error)
        return (now, error), error

    _, errors = lax.scan(step, (0.0, 0.0), y)
    return jnp.sum(0.5 * (errors / jnp.exp(ls)) ** 2 + ls)


@by("x")
def autocorrelation(y, x):
    n = x.shape[0] - y.shape[0]
    return jnp.sum((jnp.correlate(x[:-1], x[:n], "valid") - y) ** 2)


@by("cams", "pts", "w")
def ba_gather(w, oc, op, feat, cams, pts):
    cam = cams[oc]
    x, r = pts[op] - cam[:, 3:6], cam[:, :3]
    angle = jnp.sqrt(jnp.sum(r**2, axis=1) + 1e-9)[:, None]
    axis, cos, sin = r / angle, jnp.cos(angle), jnp.sin(angle)
    turned = x * cos + jnp.cross(axis, x) * sin + axis * jnp.sum(axis * x, axis=1, keepdims=True) * (1 - cos)
    seen = turned[:, :2] / turned[:, 2:]
    s = jnp.sum(seen**2, axis=1)
    bent = (1 + cam[:, 9] * s + cam[:, 10] * s * s) * cam[:, 6]
    errors = w[:, None] * (seen * bent[:, None] + cam[:, 7:9] - feat)
    return jnp.sum(errors**2) + jnp.sum((1 - w * w) ** 2)


@by("p", "u", "s0")
def binomial_tree(up, str, steps, p, u, s0):
    ends = jnp.maximum(0, s0 * jnp.exp(u * str) - 1)
    return last(lambda w: jnp.exp(-0.01) * (p * w[up] + (1 - p) * w), ends, steps)[0]


def cdf(z):
    return 0.5 * (1 + erf(z / jnp.sqrt(2.0)))


@by("rr", "s", "sig")
def black_scholes(k, t, y, rr, s, sig):
    v = sig * jnp.sqrt(t)
    d1 = (jnp.log(s / k) + (rr + sig**2 / 2) * t) / v
    return jnp.sum((s * cdf(d1) - k * jnp.exp(-rr * t) * cdf(d1 - v) - y) ** 2)


@by("s")
def bradley_terry(win, los, s):
    return jnp.sum(softplus(s[los] - s[win])) + 0.5 * jnp.dot(s, s)


@by("a", "b", "u", "w")
def brusselator(lt, rt, dt, steps, a, b, u, w):
    def step(state):
        u, w = state
        more = u + dt * (1 + u * u * w - 4.4 * u + a * (u[lt] + u[rt] - 2 * u))
        return more, w + dt * (3.4 * u - u * u * w + b * (w[lt] + w[rt] - 2 * w))

    u, w = last(step, (u, w), steps)
    return jnp.sum(u**2 + w**2)


@by("a")
def cholesky(a):
    return jnp.linalg.slogdet(jnp.tril(a) + jnp.tril(a, -1).T)[1]


@by("k", "x")
def conv_stride(y, k, x):
    n, m = y.shape
    z = lax.conv(x[None, None], k[None, None], (2, 2), "VALID")[0, 0, :n, :m]
    return jnp.sum((jnp.maximum(z, 0) - y) ** 2)


@by("mu", "lt", "th")
def eight_schools(y, sd, mu, lt, th):
    tau = jnp.exp(lt)
    likely = jnp.sum(0.5 * ((y - mu - tau * th) / sd) ** 2 + 0.5 * th**2 + jnp.log(sd))
    return likely + mu**2 / 50 + jnp.log(1 + tau**2 / 25) - lt


@by("w1", "w2", "w3")
def gated_residual(x, y, w1, w2, w3):
    a = jnp.tanh(x @ w1.T)
    b = a + jnp.tanh(a @ w2.T)
    return jnp.sum((b * sigmoid(b @ w3.T) - y) ** 2)


@by("alpha", "mu", "q", "l")
def gmm_full(x, g, m, alpha, mu, q, l):
    n, d = x.shape
    factor = jnp.tril(l, -1) + jnp.exp(q)[:, :, None] * jnp.eye(d)
    scaled = jnp.einsum("kab,nkb->nka", factor, x[:, None, :] - mu)
    scores = alpha + jnp.sum(q, axis=1) - 0.5 * jnp.sum(scaled**2, axis=2)
    prior = 0.5 * g**2 * jnp.sum(factor**2) - m * jnp.sum(q)
    return jnp.sum(logsumexp(scores, axis=1)) - n * logsumexp(alpha) + prior


def critic(z, w, c):
    return jnp.dot(c, jnp.tanh(w @ z))


@by("w", "c")
def gradient_penalty(x, w, c):
    slopes = vmap(jax.grad(critic), (0, None, None))(x, w, c)
    return jnp.sum((jnp.linalg.norm(slopes, axis=1) - 1) ** 2)


def turn(angles):
    (c, e), (d, g) = jnp.cos(angles), jnp.sin(angles)
    return jnp.array([[c, -d * e, d * g], [d, c * e, -c * g], [0, g, e]])


@by("ang")
def hand_chain(len, target, ang):
    def step(state, bone):
        turned, end = state
        length, by_angles = bone
        turned = turned @ by_angles
        return (turned, end + turned[:, 0] * length), None

    (_, end), _ = lax.scan(step, (jnp.eye(3), jnp.zeros(3)), (len, vmap(turn)(ang)))
    return jnp.sum((end - target) ** 2)


@by("start", "conductivity")
def heat(left, seen, start, conductivity):
    def step(u, outside):
        around = jnp.concatenate([outside[None], u, jnp.zeros(1)])
        return u + conductivity * (around[:-2] - 2 * u + around[2:]), None

    return jnp.sum((lax.scan(step, start, left)[0] - seen) ** 2)


@by("mu", "ls", "alpha", "beta")
def hier_logistic(x, y, grp, mu, ls, alpha, beta):
    z = x @ beta + mu + jnp.exp(ls) * alpha[grp]
    prior = jnp.dot(alpha, alpha) + jnp.dot(beta, beta) + mu**2 + ls**2
    return jnp.sum(softplus(z) - y * z) + 0.5 * prior


@by("a", "b", "p")
def hmm_forward(obs, a, b, p):
    ends, _ = lax.scan(lambda al, seen: (logsumexp(al[:, None] + a, axis=0) + b[:, seen], None), p, obs)
    return logsumexp(ends)


@by("jj", "h")
def ising_iterate(target, steps, jj, h):
    return jnp.sum((last(lambda m: jnp.tanh(jj @ m + h), jnp.zeros_like(h), steps) - target) ** 2)


@by("q", "r")
def kalman(y, a, q, r):
    def step(state, seen):
        mean, variance, total = state
        error, spread = seen - mean, variance + r
        gain = variance / spread
        total = total + 0.5 * (jnp.log(2 * jnp.pi * spread) + error * error / spread)
        return (a * (mean + gain * error), a * a * (1 - gain) * variance + q, total), None

    return lax.scan(step, (0.0, 1.0, 0.0), y)[0][2]


@by("om", "f")
def lbm_one(frm, cx, cy, w, target, om, f):
    rho = jnp.sum(f, axis=1, keepdims=True)
    ux, uy = (f @ cx)[:, None] / rho, (f @ cy)[:, None] / rho
    cu = cx * ux + cy * uy
    relaxed = f + om * (w * rho * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (ux**2 + uy**2)) - f)
    return jnp.sum((jnp.take_along_axis(relaxed, frm, axis=0) - target) ** 2)


@by("th", "ph")
def lda(words, doc, th, ph):
    return jnp.sum(logsumexp(log_softmax(th)[doc] + log_softmax(ph).T[words], axis=1))


def lstm(x, y, w, u, b):
    def step(state, now):
        shown, memory = state
        z = w @ now + u @ shown + b
        memory = sigmoid(z[0]) * memory + sigmoid(z[1]) * jnp.tanh(z[2])
        shown = sigmoid(z[3]) * jnp.tanh(memory)
        return (shown, memory), shown

    nothing = jnp.zeros(y.shape[1])
    return jnp.sum((lax.scan(step, (nothing, nothing), x)[1] - y) ** 2)


by("w", "u", "b")(lstm)
DERIVATIVES["lstm_seq:gradient"] = DERIVATIVES["lstm:gradient"]  # another model's program, of the same loss


@by("s0", "mu", "sig")
def mc_asian(z, k, s0, mu, sig):
    m, n = z.shape

    def step(state, now):
        price, total = state
        volatility, noise = now
        price = price * (1 + mu / n + volatility * noise)
        return (price, total + price), None

    (_, total), _ = lax.scan(step, (jnp.full(m, s0), jnp.zeros(m)), (sig, z.T))
    return jnp.sum(jnp.maximum(0, total / n - k))


@by("x")
def mds_stress(t, x):
    above = jnp.triu(jnp.ones_like(t, bool), 1)
    squares = jnp.where(above, jnp.sum((x[:, None] - x) ** 2, axis=2), 1)
    return jnp.sum(jnp.where(above, jnp.sqrt(squares) - t, 0) ** 2)


@by("x", "e0")
def mesh_stencil(nb, e0, x):
    d = x[:, None] - x[nb]
    flow = jnp.sum(d, axis=1)
    return jnp.sum(jnp.sum(jnp.exp(-(d**2)), axis=1) * e0**2 + jnp.where(flow < 0, flow**2, 0))


@by("a")
def newton_schulz(steps, a):
    return jnp.trace(last(lambda x: x @ (2 * jnp.eye(a.shape[0]) - a @ x), 0.05 * a.T, steps))


@by("x")
def ode_rk4(steps, prev, dt, target, x):
    def slope(y):
        return x * y[prev].at[0].set(1)

    def step(y):
        k1 = slope(y)
        k2 = slope(y + dt / 2 * k1)
        k3 = slope(y + dt / 2 * k2)
        k4 = slope(y + dt * k3)
        return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    return jnp.sum((last(step, jnp.zeros_like(x), steps) - target) ** 2)


@by("a")
def power_iteration(steps, x, a):
    def step(z):
        y = a @ z
        return y / jnp.linalg.norm(y)

    z = last(step, x, steps)
    return jnp.dot(z, a @ z)


@by("moves", "emissions")
def random_field(labels, moves, emissions):
    def step(before, here):
        return here + logsumexp(before[:, None] + moves, axis=0), None

    ends, _ = lax.scan(step, emissions[0], emissions[1:])
    emitted = jnp.sum(emissions[jnp.arange(labels.shape[0]), labels])
    return logsumexp(ends) - emitted - jnp.sum(moves[labels[:-1], labels[1:]])


@by("a", "b", "e", "w")
def rsbench(en, y, a, b, e, w):
    d = en[:, None] - e
    return jnp.sum((jnp.sum((a * d + b * w) / (d**2 + w**2), axis=1) - y) ** 2)


@by("rates")
def runge_kutta(counted, start, rates):
    def slope(at):
        prey, predators = at
        return jnp.stack([rates[0] * prey - rates[1] * prey * predators, rates[2] * prey * predators - rates[3] * predators])

    def step(at, seen):
        k1 = slope(at)
        k2 = slope(at + 0.05 * k1)
        k3 = slope(at + 0.05 * k2)
        k4 = slope(at + 0.1 * k3)
        at = at + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return at, jnp.sum((at - seen) ** 2)

    return jnp.sum(lax.scan(step, start, counted)[1])


def second_logistic(x, y, w):
    z = x @ w
    return jnp.sum(jnp.log(1 + jnp.exp(z)) - y * z)


def hvp(x, y, dv, w):
    return jax.jvp(lambda w: jax.grad(second_logistic, 2)(x, y, w), (w,), (dv,))[1]


def diagonal(x, y, w):
    return jnp.diag(jax.jacrev(jax.grad(second_logistic, 2), 2)(x, y, w))


def newton(x, y, w):
    return w - jax.grad(second_logistic, 2)(x, y, w) / diagonal(x, y, w)


def norm(x, y, w):
    return jnp.sum(jax.grad(second_logistic, 2)(x, y, w) ** 2)


DERIVATIVES |= {f"second_logistic:{f.__name__}": f for f in (diagonal, hvp, newton)}
DERIVATIVES["second_logistic:gradNorm"] = jax.grad(norm, 2)


@by("be", "ga", "i0")
def sir(y, dt, be, ga, i0):
    def step(state, day):
        well, ill = state
        rate, seen = day
        new = rate * well * ill
        ill = ill + dt * (new - ga * ill)
        return (well - dt * new, ill), (ill - seen) ** 2

    return jnp.sum(lax.scan(step, (1 - i0, i0), (be, y))[1])


@by("x")
def tv_image(y, x):
    a, b = x[1:, :-1] - x[:-1, :-1], x[:-1, 1:] - x[:-1, :-1]
    return jnp.sum((x - y) ** 2) + jnp.sum(jnp.sqrt(a**2 + b**2 + 1e-3))


@by("a", "b")
def word2vec(ctr, ctx, neg, a, b):
    centres = a[ctr]
    near = softplus(-jnp.sum(centres * b[ctx], axis=1))
    far = softplus(jnp.einsum("nd,nqd->nq", centres, b[neg]))
    return jnp.sum(near) + jnp.sum(far)


def flat(value):
    """All numbers of nested lists."""
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


def apart(found, expected):
    found = np.concatenate([np.ravel(part) for part in jax.tree.leaves(found)])
    expected = np.array(flat(expected))
    if found.shape != expected.shape:
        return np.inf
    return float(np.max(np.abs(found - expected) / np.maximum(1, np.maximum(np.abs(found), np.abs(expected)))))


def held():
    """The table's derivatives, and what each holds."""
    head, *rows = (MEASURED / "table.txt").read_text().splitlines()
    at = head.split().index("holds")
    return {row.split()[0]: int(row.split()[at]) for row in rows}


def cases():
    """The larger inputs, by the names that the table has."""
    known = (json.loads(path.read_text()) for path in sorted(MEASURED.glob("*_large.json")))
    return {f"{case['model']}:{case['entry']}": case for case in known}


def main():
    ratios, wrong, larger = [], [], cases()
    print(f"{'derivative':28}{'ours':>8}{'JAX':>8}{'ratio':>8}")
    for name, ours in held().items():
        derivative, case = DERIVATIVES[name], larger[name]
        inputs = [jnp.asarray(np.array(case["input"][own])) for own in signature(derivative).parameters]
        compiled = jax.jit(derivative).lower(*inputs).compile()
        off = apart(compiled(*inputs), case["expected"])
        theirs = compiled.memory_analysis().temp_size_in_bytes
        mark = "" if off <= FAR else f"  apart by {off:.1e}"
        wrong += [name] if mark else []
        ratios.append(ours / theirs if theirs else np.inf)
        print(f"{name:28}{ours:>8}{theirs:>8}{ratios[-1]:>8.2f}{mark}", flush=True)
    positive = [ratio for ratio in ratios if 0 < ratio < np.inf]
    mean = np.exp(np.mean(np.log(positive)))
    print(f"\nours is at most JAX's in {sum(ratio <= 1 for ratio in ratios)} of {len(ratios)} rows")
    print(f"the geometric mean of ratios is {mean:.2f}, without {len(ratios) - len(positive)} where one of both is 0")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
