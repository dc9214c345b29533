"""Exported by redexter: pure functions of jax.numpy, which take their sizes from their arguments."""

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike


def _reals(*given):
    """The arguments as arrays of one type of reals: that of those that have one."""
    typed = [one if hasattr(one, "dtype") or isinstance(one, (int, float)) else jnp.asarray(one) for one in given]
    dtype = jnp.result_type(1.0, *typed)
    return [jnp.asarray(one, dtype) for one in given]


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


@jax.custom_vjp
def loss(x: ArrayLike, y: ArrayLike, w: ArrayLike) -> jax.Array:
    """models/recurrent.arr:loss

    x: (t, h)
    y: (h,)
    w: (h, h)
    returns a number
    """
    x, y, w = _reals(x, y, w)
    t, h = _shape("x", x, "t", "h")
    _shape("y", y, ("h", h))
    _shape("w", w, ("h", h), ("h", h))
    dtype = x.dtype
    def step(state, x_i):
        return jnp.tanh(jnp.einsum("hj,j->h", w, state) + x_i), None
    state, _ = jax.lax.scan(step, jnp.full((h,), 0.0, dtype), x)
    r = state - y
    return jnp.sum(r * r)


def gradient(x: ArrayLike, y: ArrayLike, w: ArrayLike) -> jax.Array:
    """models/recurrent.arr:gradient scheduled

    x: (t, h)
    y: (h,)
    w: (h, h)
    returns (h, h)
    """
    x, y, w = _reals(x, y, w)
    t, h = _shape("x", x, "t", "h")
    _shape("y", y, ("h", h))
    _shape("w", w, ("h", h), ("h", h))
    dtype = x.dtype
    def step(a, x_i):
        table = jnp.tanh(x_i + jnp.einsum("j,hj->h", a, w))
        return table, (a, table)
    a, (kept, kept_2) = jax.lax.scan(step, jnp.full((h,), 0.0, dtype), x)
    def step_2(l, kept_2_i):
        dtable = l * (1.0 - kept_2_i * kept_2_i)
        return jnp.einsum("k,kh->h", dtable, w), dtable
    l, kept_3 = jax.lax.scan(step_2, 2.0 * (a - y), kept_2, reverse=True)
    return jnp.einsum("th,ti->hi", kept_3, kept)


def _loss_forward(x, y, w):
    return loss(x, y, w), (x, y, w,)


def _loss_backward(given, weight):
    x, y, w = given
    by_w = gradient(x, y, w)
    _, pull = jax.vjp(lambda x, y: loss.__wrapped__(x, y, w), x, y)
    by_x, by_y = pull(weight)
    return (by_x, by_y, jax.tree.map(lambda slope: weight * slope, by_w),)


loss.defvjp(_loss_forward, _loss_backward)
