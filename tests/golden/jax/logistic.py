"""Exported by redexter: pure functions of jax.numpy, which take their sizes from their arguments."""

import functools

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


def _padded(array, axis, parts):
    """The array, its last element along an axis repeated until there are equal parts."""
    more = -array.shape[axis] % parts
    widths = [(0, more if k == axis else 0) for k in range(array.ndim)]
    return jnp.pad(array, widths, mode="edge") if more else array


def _cut(array, axis, size, place):
    """The array without what was added along an axis; each device has it all where something was."""
    return array if array.shape[axis] == size else jax.lax.slice_in_dim(place(array), 0, size, axis=axis)


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
    """models/logistic.arr:loss

    x: (n, m)
    y: (n,)
    w: (m,)
    returns a number
    """
    x, y, w = _reals(x, y, w)
    n, m = _shape("x", x, "n", "m")
    _shape("y", y, ("n", n))
    _shape("w", w, ("m", m))
    score = jnp.einsum("nm,m->n", x, w)
    condition = score > 0.0
    part = jnp.where(condition, jnp.exp(jnp.where(condition, -score, 1.0)), 1.0)
    part_2 = jnp.where(jnp.logical_not(condition), score, 1.0)
    part_3 = jnp.where(jnp.logical_not(condition), jnp.exp(part_2), 1.0)
    part_4 = jnp.where(condition, score + jnp.log1p(part), jnp.log1p(part_3))
    return jnp.sum(part_4 - y * score)


def gradient(x: ArrayLike, y: ArrayLike, w: ArrayLike) -> jax.Array:
    """models/logistic.arr:gradient scheduled

    x: (n, m)
    y: (n,)
    w: (m,)
    returns (m,)
    """
    x, y, w = _reals(x, y, w)
    n, m = _shape("x", x, "n", "m")
    _shape("y", y, ("n", n))
    _shape("w", w, ("m", m))
    table = jnp.einsum("m,nm->n", w, x)
    table_2 = jnp.exp(-table)
    table_3 = jnp.exp(table)
    condition = table > 0.0
    ratio = table_2 / jnp.where(condition, 1.0 + table_2, 1.0)
    part = jnp.where(jnp.logical_not(condition), 1.0 + table_3, 1.0)
    part_2 = jnp.where(condition, 1.0 - ratio, table_3 / part)
    table_4 = part_2 - y
    return jnp.einsum("n,nm->m", table_4, x)


def save_loss(path, dtype=float):
    """Writes loss for any sizes into a file, which jax.export.deserialize reads."""
    from jax import export

    n, m = export.symbolic_shape("n, m", constraints=[])
    given = [
        jax.ShapeDtypeStruct((n, m), dtype),
        jax.ShapeDtypeStruct((n,), dtype),
        jax.ShapeDtypeStruct((m,), dtype),
    ]
    made = export.export(jax.jit(loss))(*given)
    with open(path, "wb") as file:
        file.write(made.serialize())


def _loss_part(n, m, x, y, w):
    """What one device computes of its part."""
    n_here = -(-n // jax.lax.axis_size("n"))
    n_index = jax.lax.axis_index("n") * n_here + jnp.arange(n_here)
    n_inside = n_index < n
    score = jnp.einsum("nm,m->n", x, w)
    condition = score > 0.0
    part = jnp.where(condition, jnp.exp(jnp.where(condition, -score, 1.0)), 1.0)
    part_2 = jnp.where(jnp.logical_not(condition), score, 1.0)
    part_3 = jnp.where(jnp.logical_not(condition), jnp.exp(part_2), 1.0)
    part_4 = jnp.where(condition, score + jnp.log1p(part), jnp.log1p(part_3))
    return jax.lax.psum(jnp.sum(jnp.where(n_inside, part_4 - y * score, 0.0)), "n")


def sharded_loss(mesh: jax.sharding.Mesh):
    """loss with its data split over a mesh of devices: x over n, y over n.

    The mesh has an axis for each of these sizes, by its name. What isn't split each device has; results too, but
    along those sizes. Data that the devices don't divide is padded, and what was added is masked.
    """
    spec = jax.sharding.PartitionSpec

    def place(array, parts=spec()):
        return jax.device_put(array, jax.sharding.NamedSharding(mesh, parts))

    @functools.cache
    def split(n, m):
        part = functools.partial(_loss_part, n, m)
        ins, outs = (spec("n"), spec("n"), spec()), spec()
        return jax.jit(jax.shard_map(part, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=False))

    def call(x, y, w):
        x, y, w = _reals(x, y, w)
        n, m = _shape("x", x, "n", "m")
        _shape("y", y, ("n", n))
        _shape("w", w, ("m", m))
        x = place(_padded(x, 0, mesh.shape["n"]), spec("n"))
        y = place(_padded(y, 0, mesh.shape["n"]), spec("n"))
        w = place(w, spec())
        return split(n, m)(x, y, w)

    return call


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


def save_gradient(path, dtype=float):
    """Writes gradient for any sizes into a file, which jax.export.deserialize reads."""
    from jax import export

    n, m = export.symbolic_shape("n, m", constraints=[])
    given = [
        jax.ShapeDtypeStruct((n, m), dtype),
        jax.ShapeDtypeStruct((n,), dtype),
        jax.ShapeDtypeStruct((m,), dtype),
    ]
    made = export.export(jax.jit(gradient))(*given)
    with open(path, "wb") as file:
        file.write(made.serialize())


def _gradient_part(n, m, x, y, w):
    """What one device computes of its part."""
    n_here = -(-n // jax.lax.axis_size("n"))
    n_index = jax.lax.axis_index("n") * n_here + jnp.arange(n_here)
    n_inside = n_index < n
    table = jnp.einsum("m,nm->n", w, x)
    table_2 = jnp.exp(-table)
    table_3 = jnp.exp(table)
    condition = table > 0.0
    ratio = table_2 / jnp.where(condition, 1.0 + table_2, 1.0)
    part = jnp.where(jnp.logical_not(condition), 1.0 + table_3, 1.0)
    part_2 = jnp.where(condition, 1.0 - ratio, table_3 / part)
    table_4 = part_2 - y
    return jax.lax.psum(jnp.einsum("n,nm->m", jnp.where(n_inside, table_4, 0.0), x), "n")


def sharded_gradient(mesh: jax.sharding.Mesh):
    """gradient with its data split over a mesh of devices: x over n, y over n.

    The mesh has an axis for each of these sizes, by its name. What isn't split each device has; results too, but
    along those sizes. Data that the devices don't divide is padded, and what was added is masked.
    """
    spec = jax.sharding.PartitionSpec

    def place(array, parts=spec()):
        return jax.device_put(array, jax.sharding.NamedSharding(mesh, parts))

    @functools.cache
    def split(n, m):
        part = functools.partial(_gradient_part, n, m)
        ins, outs = (spec("n"), spec("n"), spec()), spec()
        return jax.jit(jax.shard_map(part, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=False))

    def call(x, y, w):
        x, y, w = _reals(x, y, w)
        n, m = _shape("x", x, "n", "m")
        _shape("y", y, ("n", n))
        _shape("w", w, ("m", m))
        x = place(_padded(x, 0, mesh.shape["n"]), spec("n"))
        y = place(_padded(y, 0, mesh.shape["n"]), spec("n"))
        w = place(w, spec())
        return split(n, m)(x, y, w)

    return call
