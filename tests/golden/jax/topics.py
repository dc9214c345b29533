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


def loss(document: ArrayLike, word: ArrayLike, mixes: ArrayLike, topics: ArrayLike) -> jax.Array:
    """models/topics.arr:loss

    document: (n,), indices below m
    word: (n,), indices below v
    mixes: (m, k)
    topics: (k, v)
    returns a number
    """
    mixes, topics = _reals(mixes, topics)
    document = _whole("document", document)
    word = _whole("word", word)
    (n,) = _shape("document", document, "n")
    _shape("word", word, ("n", n))
    m, k = _shape("mixes", mixes, "m", "k")
    _, v = _shape("topics", topics, ("k", k), "v")
    _least("v", v, 1)
    _least("k", k, 1)
    best = jnp.max(mixes, axis=1)
    condition = jnp.abs(best) <= 1.7976931348623157e308
    shift = jnp.floor(jnp.where(condition, best, 0.0))
    total = jnp.sum(jnp.exp(mixes - shift[:, None]), axis=1)
    rest = jnp.log(total)
    p = mixes - shift[:, None] - rest[:, None]
    best_2 = jnp.max(topics, axis=1)
    condition_2 = jnp.abs(best_2) <= 1.7976931348623157e308
    shift_2 = jnp.floor(jnp.where(condition_2, best_2, 0.0))
    total_2 = jnp.sum(jnp.exp(topics - shift_2[:, None]), axis=1)
    rest_2 = jnp.log(total_2)
    q = topics - shift_2[:, None] - rest_2[:, None]
    v_2 = p[document] + q[:, word].T
    best_3 = jnp.max(v_2, axis=1)
    condition_3 = jnp.abs(best_3) <= 1.7976931348623157e308
    shift_3 = jnp.floor(jnp.where(condition_3, best_3, 0.0))
    total_3 = jnp.sum(jnp.exp(v_2 - shift_3[:, None]), axis=1)
    return -jnp.sum(shift_3 + jnp.log(total_3))
