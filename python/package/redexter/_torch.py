"""Makes functions of PyTorch, whose derivatives are derived ones."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from redexter._redexter import Term


def function(primal: Term, gradient: Term, by: list[str] | None, fast: bool, threads: int) -> Callable[..., Any]:
    """An `autograd.Function` around native code, as a function. Raises `ImportError` without PyTorch.

    `primal` gives a number; `gradient` takes the same arguments, and gives its derivative by those named in `by`: a tuple where
    there are several, as the type of a definition nests it. Arguments are tensors of float64 on the CPU, or tuples of them.
    """
    torch: Any = importlib.import_module("torch")

    from redexter._errors import InputError

    names = list(primal.parameters)
    if list(gradient.parameters.items()) != list(primal.parameters.items()):
        raise InputError(f"`gradient` must take what `{primal.name}` takes, {primal.parameters}, but takes {gradient.parameters}")
    for name in by or ():
        if name not in names:
            raise InputError(f"`by` names `{name}`, but the parameters of `{primal.name}` are {', '.join(names)}")
    asked = primal._by(gradient, by)
    value, derived = primal.native(fast=fast, threads=threads), gradient.native(fast=fast, threads=threads)

    def plain(given: Any) -> Any:
        """Numbers as NumPy has them, without a copy."""
        return given.detach().numpy() if isinstance(given, torch.Tensor) else given

    def shape(given: Any) -> Any:
        """How the numbers stand in tuples."""
        return tuple(shape(part) for part in given) if isinstance(given, tuple | list) else None

    def filled(shape: Any, leaves: Iterator[Any]) -> Any:
        return next(leaves) if shape is None else tuple([filled(part, leaves) for part in shape])

    def leaves(given: Any) -> Iterator[Any]:
        if isinstance(given, tuple | list):
            for part in given:
                yield from leaves(part)
        else:
            yield given

    class Derived(torch.autograd.Function):  # type: ignore[misc]
        """What autograd calls: all tensors in a row, pairs taken apart."""

        @staticmethod
        def forward(ctx: Any, shape: Any, *given: Any) -> Any:
            ctx.shape = shape
            # PyTorch refuses to go backward where a tensor was changed in place; what is no tensor is copied for that.
            ctx.save_for_backward(*[one for one in given if isinstance(one, torch.Tensor)])
            ctx.others = [None if isinstance(one, torch.Tensor) else np.array(one) for one in given]
            return torch.as_tensor(value(*filled(shape, iter([plain(one) for one in given]))), dtype=torch.float64)

        @staticmethod
        @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
        def backward(ctx: Any, outer: Any) -> Any:
            tensors = iter(ctx.saved_tensors)
            given = [next(tensors) if one is None else one for one in ctx.others]
            found = leaves(derived(*filled(ctx.shape, iter([plain(one) for one in given]))))
            own = dict(zip(names, ctx.shape, strict=True))
            slopes = {name: [outer * torch.as_tensor(next(found)) for _ in leaves(own[name])] for name in asked}
            all_slopes = [slope for name in names for slope in slopes.get(name, [None for _ in leaves(own[name])])]
            return (None, *(None if isinstance(one, np.ndarray) else slope for one, slope in zip(given, all_slopes, strict=True)))

    def call(*arguments: Any, **named: Any) -> Any:
        given = list(arguments)
        for name in names[len(arguments) :]:
            if name not in named:
                raise InputError(f"there is no argument for the parameter `{name}`, of type {primal.parameters[name]}")
            given.append(named.pop(name))
        if named:
            raise InputError(f"`{primal.name}` has no parameter `{next(iter(named))}`; it takes {', '.join(names)}")
        for name, argument in zip(names, given):
            if name not in asked and torch.is_grad_enabled() and any(getattr(one, "requires_grad", False) for one in leaves(argument)):
                told = ", ".join(f"`{one}`" for one in asked)
                raise InputError(
                    f"`{name}` requires a gradient, but `{gradient.name}` is by {told} alone: "
                    f"give `{name}.detach()`, or a derivative by `{name}`, too"
                )
        return Derived.apply(shape(given), *leaves(given))

    call.__name__ = primal.name
    call.__doc__ = f"`{primal.name}`, whose derivative by {', '.join(asked)} is `{gradient.name}`."
    return call
