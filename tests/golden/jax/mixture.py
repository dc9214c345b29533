"""Exported by redexter: pure functions of jax.numpy, which take their sizes from their arguments."""

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike


def _reals(*given):
    """The arguments as arrays of one type of reals: that of those that have one."""
    typed = [one if hasattr(one, "dtype") or isinstance(one, (int, float)) else jnp.asarray(one) for one in given]
    dtype = jnp.result_type(1.0, *typed)
    return [jnp.asarray(one, dtype) for one in given]


def _whole(name, given):
    """The argument as an array of JAX's integers."""
    array = jnp.asarray(given)
    if array.dtype.kind not in "iu":
        raise TypeError(f"argument {name}: expected whole numbers, found {array.dtype}")
    return array.astype(int)


def _shape(name, array, *law):
    """The shape of an argument; each size is a name, which may occur twice, or a name with what it has to be."""
    found = jnp.shape(array)
    known = dict(size for size in law if not isinstance(size, str))
    if len(found) == len(law):
        for size, own in zip(law, found):
            known.setdefault(size if isinstance(size, str) else size[0], own)
    names = [size if isinstance(size, str) else size[0] for size in law]
    if len(found) != len(law) or any(known[size] != own for size, own in zip(names, found)):
        told = [size if size == str(known.get(size, size)) else f"{size} = {known[size]}" for size in names]
        raise ValueError(f"argument {name}: expected the shape ({', '.join(told)}), found {found}")
    return found


def _least(name, size, least):
    """Holds a size against the least that it may be."""
    if size < least:
        raise ValueError(f"size {name}: expected at least {least}, found {size}")


def gradient(
    x: ArrayLike,
    m: ArrayLike,
    gamma: ArrayLike,
    alpha: ArrayLike,
    mu: ArrayLike,
    q: ArrayLike,
    l: ArrayLike
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """models/mixture.arr:gradient scheduled

    x: (n, d)
    m: a number, whole
    gamma: a number
    alpha: (k,)
    mu: (k, d)
    q: (k, d)
    l: (k, d, d)
    returns ((k,), (k, d), (k, d), (k, d, d))
    """
    x, gamma, alpha, mu, q, l = _reals(x, gamma, alpha, mu, q, l)
    m = _whole("m", m)
    n, d = _shape("x", x, "n", "d")
    _shape("m", m)
    _shape("gamma", gamma)
    (k,) = _shape("alpha", alpha, "k")
    _shape("mu", mu, ("k", k), ("d", d))
    _shape("q", q, ("k", k), ("d", d))
    _shape("l", l, ("k", k), ("d", d), ("d", d))
    _least("k", k, 1)
    dtype = x.dtype
    table = jnp.exp(q)
    logs = jnp.sum(q, axis=1)
    table_2 = x[:, None] - mu
    b = jnp.arange(d)
    condition = b < b[:, None]
    condition_2 = b[:, None] == b
    part = jnp.where(condition_2, table[:, :, None], 0.0)
    table_3 = jnp.einsum("nkb,kdb->nkd", table_2, jnp.where(condition, l, part))
    difference = alpha - 0.5 * jnp.sum(table_3 * table_3, axis=2)
    table_4 = logs + difference
    best = jnp.max(table_4, axis=1)
    condition_3 = jnp.abs(best) <= 1.7976931348623157e308
    table_6 = jnp.floor(jnp.where(condition_3, best, 0.0))
    table_7 = jnp.exp(table_4 - table_6[:, None])
    table_8 = jnp.sum(table_7, axis=1)
    best_2 = jnp.max(alpha)
    condition_4 = jnp.abs(best_2) <= 1.7976931348623157e308
    shift = jnp.floor(jnp.where(condition_4, best_2, 0.0))
    table_9 = jnp.exp(alpha - shift)
    table_10 = table_7 / table_8[:, None]
    table_11 = jnp.asarray(m, dtype) + jnp.sum(table_10, axis=0)
    table_12 = table_10[:, :, None] * table_2
    table_13 = gamma * gamma
    part_2 = jnp.where(condition_2, (table_13 * table)[:, :, None], 0.0)
    total = jnp.einsum("nki,nkd->kdi", table_12, table_3)
    table_14 = -jnp.where(condition, table_13 * l, part_2) - total
    table_15 = jnp.einsum("nk,nkd->dk", table_10, table_3)
    table_16 = n / jnp.sum(table_9)
    condition_5 = b[:, None] < b
    condition_6 = b == b[:, None]
    part_3 = jnp.where(condition_5, jnp.transpose(l, (0, 2, 1)), jnp.where(condition_6, table[:, None], 0.0))
    product = table * jnp.diagonal(table_14, axis1=1, axis2=2)
    return (
        jnp.sum(table_10, axis=0) - table_16 * table_9,
        jnp.einsum("ak,kda->kd", table_15, part_3),
        table_11[:, None] + product,
        jnp.where(condition, table_14, 0.0)
    )
