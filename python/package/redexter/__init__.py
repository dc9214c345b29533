"""Redexter: a workbench for the order of program optimisations on differentiable array programs.

>>> import numpy as np, redexter
>>> model = redexter.load("models/vector_sum.arr")
>>> derivation = model.gradient.apply("fastGradient")
>>> print(derivation.term)
fun (v : array n real) => build n (fun i => 1)
>>> derivation.term(np.zeros(3))
array([1., 1., 1.])

What is loaded and defined here belongs to one session, which begins when it is first needed; `redexter.Session()` makes others.
"""

from __future__ import annotations

import os
import threading
from typing import Any

from redexter._errors import (
    Finding,
    InputError,
    LimitReached,
    ModelChanged,
    NoSuchDefinition,
    Place,
    RedexterError,
    RedexterWarning,
    StrategyFailed,
)
from redexter._redexter import (
    Answer,
    Derivation,
    Model,
    Native,
    Page,
    Rule,
    Session,
    Stage,
    Step,
    Strategy,
    Term,
    Work,
    __version__,
)

__all__ = [
    "Answer",
    "Derivation",
    "Finding",
    "InputError",
    "LimitReached",
    "Model",
    "ModelChanged",
    "Native",
    "NoSuchDefinition",
    "Page",
    "Place",
    "RedexterError",
    "RedexterWarning",
    "Rule",
    "Session",
    "Stage",
    "Step",
    "Strategy",
    "StrategyFailed",
    "Term",
    "Work",
    "__version__",
    "limits",
    "load",
    "rule",
    "rules",
    "run",
    "session",
    "strategy",
    "use",
]

_own: tuple[int, Session] | None = None
_starting = threading.Lock()


def session() -> Session:
    """The session of this module's functions. A process that was forked off begins another one."""
    global _own
    with _starting:
        if _own is None or _own[0] != os.getpid():
            _own = (os.getpid(), Session())
        return _own[1]


def load(path_or_text: str | os.PathLike[str]) -> Model:
    """Reads a model: from a file, one that ships (`models/mixture.arr`), or a text that has a definition in it.

    Raises `RedexterError` for what is wrong in it, with code, place and remedy.
    """
    return session().load(path_or_text)


def strategy(text: str) -> Strategy:
    """Reads a strategy, such as ``normalize(beta <+ getBuild)``.

    Raises `RedexterError` for names that aren't known, and for what never ends.
    """
    return session().strategy(text)


def rule(text: str, where: None = None) -> Rule:
    """Defines a rule, written as in a script: ``rule double = `x + x --> 2 * x` ``. It is tested before it stands.

    Raises `RedexterError` where it can't be read, isn't typed, or a counterexample was found; and for a function of Python's as a
    condition.
    """
    return session().rule(text, where)


def rules() -> dict[str, Rule]:
    """The rules that there are, by name: the book's, and those that were defined."""
    return session().rules


def use(*paths: str | os.PathLike[str]) -> None:
    """Runs scripts for the rules and strategies that they define."""
    session().use(*paths)


def run(text: str, name: str = "<script>") -> None:
    """Runs a script's text: what it defines is known from then on, what it prints is printed."""
    session().run(text, name)


def limits(
    *,
    max_steps: int | None = None,
    max_size: int | None = None,
    timeout: float | None = None,
    max_memory: int | None = None,
) -> str:
    """Sets limits from now on, and says all that hold then.

    `max_steps` are rewrites of a run, `max_size` nodes of a term, `timeout` seconds and `max_memory` MB of a piece of work.
    """
    return session().limits(max_steps=max_steps, max_size=max_size, timeout=timeout, max_memory=max_memory)


def load_ipython_extension(shell: Any) -> None:
    """Gives a notebook the cells `%%arr` and `%%strat`."""
    from redexter._magics import register

    register(shell)
