"""A gradient in a file, read by another process; and a loss whose gradient is the one that was derived."""

import json
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
READ = """
import sys, jax, numpy as np
jax.config.update("jax_enable_x64", True)
function = jax.export.deserialize(bytearray(open(sys.argv[1], "rb").read())).call
given = np.load(sys.argv[2])
np.save(sys.argv[3], function(*[given[key] for key in sorted(given)]))
"""


def main():
    case = json.load(open(sys.argv[1]))
    scope = {}
    exec(compile(case["module"], "module", "exec"), scope)
    drawn = np.random.default_rng(7)
    folder = sys.argv[1].rpartition("/")[0]
    try:
        scope["save_gradient"](f"{folder}/gradient.bin")
    except ImportError as error:
        print(f"skipped: {error}")
    else:
        for n, m in ((5, 3), (1, 1), (17, 2)):
            given = [drawn.normal(size=shape) for shape in ((n, m), (n,), (m,))]
            np.savez(f"{folder}/given.npz", a=given[0], b=given[1], c=given[2])
            places = [f"{folder}/{name}" for name in ("gradient.bin", "given.npz", "found.npy")]
            subprocess.run([sys.executable, "-c", READ, *places], check=True)
            assert np.allclose(np.load(places[2]), scope["gradient"](*given), rtol=1e-13, atol=1e-15)
    guarded = {}
    exec(compile(case["guarded"], "guarded", "exec"), guarded)
    v = jnp.asarray([0.0, 4.0, -1.0, 1.0])
    assert np.allclose(guarded["f"](v), 2 + np.log(4) + 1 + 4 / 1)
    assert np.allclose(jax.grad(guarded["f"])(v), [0, 0.25 + 0.25 + 1, 0, 0.5 + 1 - 4]), jax.grad(guarded["f"])(v)
    x, y, w = (jnp.asarray(drawn.normal(size=shape)) for shape in ((5, 3), (5,), (3,)))
    loss = scope["loss"]
    text = jax.jit(jax.grad(lambda w: 3 * loss(x, y, w))).lower(w).as_text()
    assert np.allclose(jax.grad(lambda w: 3 * loss(x, y, w))(w), 3 * scope["gradient"](x, y, w), rtol=1e-14)
    assert text.count("dot_general") == 2, text
    for own, other in zip(jax.grad(loss, (0, 1, 2))(x, y, w), jax.grad(loss.__wrapped__, (0, 1, 2))(x, y, w)):
        assert np.allclose(own, other, rtol=1e-12), (own, other)
    # Forwards, too, and once more.
    for of in (lambda loss: jax.jvp(loss, (x, y, w), (y[:, None] * x, y, 2 * w))[1],
               lambda loss: jax.linearize(lambda w: loss(x, y, w), w)[1](w), lambda loss: jax.hessian(loss, 2)(x, y, w),
               lambda loss: jax.vmap(jax.value_and_grad(loss, 2), (None, None, 0))(x, y, jnp.stack([w, 2 * w]))[1]):
        assert np.allclose(of(loss), of(loss.__wrapped__), rtol=1e-12), (of(loss), of(loss.__wrapped__))
    for wrong, words in (((x, y[:3], w), "argument y: expected the shape (n = 5), found (3,)"),
                         ((x, y, w[:, None]), "argument w: expected the shape (m = 3), found (3, 1)")):
        try:
            jax.jit(loss)(*wrong)
            raise AssertionError("it took other shapes")
        except ValueError as error:
            assert str(error) == words, error
    print("all agree")


main()
