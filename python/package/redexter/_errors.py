"""What goes wrong, as exceptions.

Each says what the program says: code, place, an excerpt of the text, and a remedy. What Python users catch by other names is that,
too: an `InputError` is a `ValueError`, a `NoSuchDefinition` an `AttributeError` and a `KeyError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from redexter._redexter import Derivation


class Place(NamedTuple):
    """A place in a text, and what is to be said of it."""

    source: str
    line: int
    column: int
    message: str


class Finding(NamedTuple):
    """What is wrong, where, and what to do about it. A limit has no code."""

    code: str | None
    headline: str
    places: tuple[Place, ...]
    remedies: tuple[str, ...]


class RedexterError(Exception):
    """What redexter says of something that went wrong; `str(error)` is all of it, with an excerpt."""

    def __init__(self, text: str, findings: tuple[Finding, ...] = (), derivation: Derivation | None = None) -> None:
        super().__init__(text)
        self.findings = findings
        """Every finding, the first one first."""
        self.derivation = derivation
        """The steps so far, where a limit ended a strategy."""

    @property
    def code(self) -> str | None:
        """The stable code of the first finding, such as `E0802`."""
        return self.findings[0].code if self.findings else None

    @property
    def headline(self) -> str:
        """The first finding in one line."""
        return self.findings[0].headline if self.findings else str(self)

    @property
    def place(self) -> Place | None:
        """The place of the first finding, if it has one."""
        places = self.findings[0].places if self.findings else ()
        return places[0] if places else None

    @property
    def remedies(self) -> tuple[str, ...]:
        """What to do about the first finding."""
        return self.findings[0].remedies if self.findings else ()


class InputError(RedexterError, ValueError):
    """Arguments that don't fit what is called."""


class NoSuchDefinition(RedexterError, AttributeError, KeyError):
    """A model has no definition of this name."""

    __str__ = Exception.__str__  # a `KeyError` would quote it


class ModelChanged(RedexterError):
    """A model's file isn't what it was when it was loaded."""


class StrategyFailed(RedexterError):
    """A strategy failed: it says where, and what it wanted."""


class LimitReached(RedexterError):
    """A limit ended the work. `derivation` has the steps so far, where there are some."""


class RedexterWarning(UserWarning):
    """A finding that stops nothing."""
