"""Makes functions of JAX of exported modules."""

from __future__ import annotations

import importlib
import linecache
from collections.abc import Callable
from typing import Any


def function(text: str, name: str) -> Callable[..., Any]:
    """The function of this name in the module that has this text. Raises `ImportError` without JAX."""
    importlib.import_module("jax")  # said at once, not by the module's first line

    scope: dict[str, Any] = {"__name__": f"redexter.exported.{name}"}
    place = f"<redexter {name}>"
    exec(compile(text, place, "exec"), scope)
    # Tracebacks and `inspect.getsource` show the module's lines.
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    found: Callable[..., Any] = scope[name]
    return found
