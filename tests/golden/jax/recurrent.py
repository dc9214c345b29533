"""Exported by redexter: pure functions of jax.numpy, which take their sizes from their arguments."""

import jax
import jax.numpy as jnp
from jax.custom_derivatives import SymbolicZero
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


def _is_moved(*moved):
    """Whether an argument changes, as far as is known."""
    return any(not isinstance(one, SymbolicZero) for one in jax.tree.leaves(moved))


def _filled(given, moved):
    """How arguments change, as arrays."""
    return jax.tree.map(lambda one, by: by if _is_moved(by) else jnp.zeros_like(one), given, moved)


def _along(slopes, moved, value):
    """How a number changes whose slopes these are."""
    pairs = zip(jax.tree.leaves(slopes), jax.tree.leaves(moved), strict=True)
    return sum((jnp.sum(slope * by) for slope, by in pairs if _is_moved(by)), start=jnp.zeros_like(value))


@jax.custom_jvp
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


def _loss_slope(given, change):
    """`loss`, and how it changes as its arguments do: its slopes by w are given."""
    x, y, w = given
    x_moved, y_moved, w_moved = change
    value = loss(x, y, w)
    by_w = gradient(x, y, w)
    slope = _along((by_w,), (w_moved,), value)
    if _is_moved(x_moved, y_moved):
        rest = lambda x, y: loss.__wrapped__(x, y, w)
        slope += jax.jvp(rest, (x, y), _filled((x, y), (x_moved, y_moved)))[1]
    return value, slope


loss.defjvp(_loss_slope, symbolic_zeros=True)
