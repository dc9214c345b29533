"""Cells of notebooks: `%%arr` is a model, `%%strat` a script."""

from __future__ import annotations

from typing import Any

import redexter


def register(shell: Any) -> None:
    """Gives an `InteractiveShell` both cells. IPython needn't be there to check these types."""

    def arr(line: str, cell: str) -> None:
        """The cell is a model, under the name that stands behind `%%arr`; without one its definitions are variables."""
        model = redexter.load(cell if cell.endswith("\n") else cell + "\n")
        name = line.strip()
        if name and not name.isidentifier():
            raise redexter.RedexterError(f"`%%arr {name}`: `{name}` is no name for a model; write `%%arr model`")
        shell.push({name: model} if name else {own: model[own] for own in model if _has_term(model, own)})

    def strat(line: str, cell: str) -> None:
        """The cell is a script: its rules and strategies are known from then on."""
        if line.strip():
            raise redexter.RedexterError("`%%strat` takes nothing behind it: the script stands in the lines below")
        redexter.run(cell, "<cell>")

    shell.register_magic_function(arr, "cell", "arr")
    shell.register_magic_function(strat, "cell", "strat")
    shell.set_custom_exc((redexter.RedexterError,), _told)


def _has_term(model: redexter.Model, name: str) -> bool:
    try:
        model[name]
    except redexter.NoSuchDefinition:
        raise
    except redexter.RedexterError:  # one with a parameter under D has no term of its own
        return False
    return True


def _told(shell: Any, kind: type[BaseException], error: BaseException, trace: object, tb_offset: int | None = None) -> None:
    """What redexter says, without the lines of Python that led there: the excerpt says where."""
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset, exception_only=True)
