"""The reference page and README say what is so: their blocks of Python are run."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

import redexter

ROOT = Path(__file__).resolve().parents[2]


def blocks(page: str) -> list[str]:
    text = (ROOT / page).read_text()
    return re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)


def needed(block: str) -> set[str]:
    return {name for name in re.findall(r"^(?:import|from) ([\w, .]+)", block, re.M) for name in re.split(r"[, .]+| import.*", name)}


def test_the_reference_page(root: Path) -> None:
    scope: dict[str, Any] = {}
    tried = 0
    for block in blocks("docs/python.md"):
        names = {name for name in ("scipy", "jax", "optax", "torch") if re.search(rf"^(from|import) .*\b{name}\b", block, re.M)}
        if any(importlib.util.find_spec(name) is None for name in names):
            print(f"skipped: a block that needs {names}")
            continue
        exec(compile(block, "docs/python.md", "exec"), scope)
        tried += 1
    assert tried >= 4


def test_the_page_names_what_there_is() -> None:
    page = (ROOT / "docs/python.md").read_text()
    for kind in (redexter.Model, redexter.Term, redexter.Derivation):
        for name in dir(kind):
            if not name.startswith("_"):
                assert re.search(rf"[`.]{name}\b", page), f"{kind.__name__}.{name} isn't told of"
                assert getattr(kind, name).__doc__, f"{kind.__name__}.{name} has no docstring"
    for name in redexter.__all__:
        if isinstance(getattr(redexter, name), type) and issubclass(getattr(redexter, name), Exception):
            assert f"`{name}`" in page, name


def test_the_session_in_readme(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "README.md").read_text()
    sessions = re.findall(r"^```pycon\n(.*?)^```$", text, re.M | re.S)
    assert sessions
    for session in sessions:
        test = doctest.DocTestParser().get_doctest(session, {}, "README", "README.md", 0)
        assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0
    assert doctest.testmod(redexter).failed == 0


def test_the_package_page(root: Path) -> None:
    (block,) = blocks("python/README.md")
    exec(compile(block, "python/README.md", "exec"), {})
