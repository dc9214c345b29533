"""Makes functions of PyTorch, whose derivatives are derived ones."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from redexter._redexter import Derivation, Term


def function(primal: Term, gradient: Term | Derivation, by: list[str] | None, fast: bool, threads: int) -> Callable[..., Any]:
    """An `autograd.Function` around native code, as a function. Raises `ImportError` without PyTorch.

    `primal` gives a number; `gradient` takes the same arguments, and gives its derivative by those named in `by`: a tuple where
    there are several, as the type of a definition nests it. Arguments are tensors of float64 on the CPU, or tuples of them.
    """
    torch: Any = importlib.import_module("torch")

    from redexter._errors import InputError
    from redexter._redexter import Derivation

    slope = gradient.term if isinstance(gradient, Derivation) else gradient
    names = list(primal.parameters)
    if list(slope.parameters.items()) != list(primal.parameters.items()):
        raise InputError(f"`gradient` must take what `{primal.name}` takes, {primal.parameters}, but takes {slope.parameters}")
    asked = by if by is not None else _by_type(primal, slope)
    for name in asked:
        if name not in names:
            raise InputError(f"`by` names `{name}`, but the parameters of `{primal.name}` are {', '.join(names)}")
    value, derived = primal.native(fast=fast, threads=threads), slope.native(fast=fast, threads=threads)

    def plain(given: Any) -> Any:
        """Numbers as NumPy has them, without a copy."""
        if isinstance(given, torch.Tensor):
            return given.detach().numpy()
        return tuple(plain(part) for part in given) if isinstance(given, tuple | list) else given

    def leaves(given: Any) -> Iterator[Any]:
        if isinstance(given, tuple | list):
            for part in given:
                yield from leaves(part)
        else:
            yield given

    class Derived(torch.autograd.Function):  # type: ignore[misc]
        """What autograd calls: all tensors in a row, pairs taken apart."""

        @staticmethod
        def forward(ctx: Any, arguments: tuple[Any, ...], *tensors: Any) -> Any:
            ctx.arguments = plain(arguments)
            return torch.as_tensor(value(*ctx.arguments), dtype=torch.float64)

        @staticmethod
        @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
        def backward(ctx: Any, outer: Any) -> Any:
            found = iter([torch.as_tensor(part) for part in leaves(derived(*ctx.arguments))])
            slopes: list[Any] = []
            for name, argument in zip(names, ctx.arguments, strict=True):
                for _ in leaves(argument):
                    slopes.append(outer * next(found) if name in asked else None)
            return (None, *slopes)

    def call(*arguments: Any, **named: Any) -> Any:
        given = list(arguments)
        for name in names[len(arguments) :]:
            if name not in named:
                raise InputError(f"there is no argument for the parameter `{name}`, of type {primal.parameters[name]}")
            given.append(named.pop(name))
        if named:
            raise InputError(f"`{primal.name}` has no parameter `{next(iter(named))}`; it takes {', '.join(names)}")
        return Derived.apply(tuple(given), *leaves(given))

    call.__name__ = primal.name
    call.__doc__ = f"`{primal.name}`, whose derivative by {', '.join(asked)} is `{slope.name}`."
    return call


def _by_type(primal: Term, slope: Term) -> list[str]:
    """The arguments that have the type of the derivative: the only ones, or the caller must say."""
    from redexter._errors import InputError

    result = slope.type.rsplit(" -> ", 1)[-1]
    found = [name for name, type in primal.parameters.items() if type == result]
    if len(found) != 1:
        raise InputError(f"the types don't tell by which argument of `{primal.name}` the derivative `{slope.name}` is: say `by=[…]`")
    return found
