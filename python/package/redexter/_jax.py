"""Makes functions of JAX of exported modules."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any


def function(text: str, name: str) -> Callable[..., Any]:
    """The function of this name in the module that has this text. Raises `ImportError` without JAX."""
    import jax  # noqa: F401  said at once, not by the module's first line

    scope: dict[str, Any] = {"__name__": f"redexter.exported.{name}"}
    place = f"<redexter {name}>"
    exec(compile(text, place, "exec"), scope)
    # Tracebacks and `inspect.getsource` show the module's lines.
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    found = scope[name]
    assert callable(found)
    return found
