"""Converts what is given for a parameter to an array of NumPy's, where nothing is lost by that."""

from __future__ import annotations

from typing import Any

import numpy as np

from redexter._errors import Finding, InputError

_WANTED = {"real": "reals", "int": "whole numbers", "index": "whole numbers"}


def _wrong(headline: str, remedy: str) -> InputError:
    text = f"error[E0802]: {headline}\n = help: {remedy}"
    return InputError(text, findings=(Finding("E0802", headline, (), (remedy,)),))


def take(value: Any, kind: str, place: str, type: str) -> np.ndarray:
    """The numbers of `value` in a row, as float64 for `kind` "real", else as int64.

    `place` and `type` say in a message which argument is meant. Raises `InputError` for what holds other things than numbers, and
    for numbers that the wanted type can't hold exactly: nothing is rounded but what is float16, float32 or float64 anyway.
    """
    try:
        array = np.asarray(value)
    except Exception as error:  # an object's own conversion may raise anything
        raise _wrong(f"`{place}` must be numbers of type {type}, but can't be made an array: {error}", "give an array of NumPy's") from error
    if np.ma.is_masked(value):
        raise _wrong(f"`{place}` must be {_WANTED[kind]}, of type {type}, but has masked elements", "say what stands for them: `.filled(0.0)`")
    of, found = array.dtype.kind, f"{array.dtype} of the shape {array.shape}"
    if kind == "real" and of == "f" and array.dtype.itemsize <= 8:
        return np.require(array, np.float64, ["C", "A"])
    if of in "iu":
        wanted = np.float64 if kind == "real" else np.int64
        made = np.require(array, wanted, ["C", "A"])
        if array.dtype.itemsize == 8 and array.size and not _is_exact(array, made):
            raise _wrong(f"`{place}` must be {_WANTED[kind]} that {made.dtype} can hold, but some of {found} can't be", "convert the array as you want it rounded")
        return made
    if value is None:
        found = "None"
    raise _wrong(f"`{place}` must be {_WANTED[kind]}, of type {type}, but is {found}", _remedy(of, kind))


def _remedy(of: str, kind: str) -> str:
    """What to do with numbers of NumPy's kind `of`, where those of `kind` are wanted. A conversion that would lose something, or
    fail, isn't advised."""
    if of == "c":
        return "give real and imaginary part as arguments of their own: `.real`, `.imag`"
    if of in "USOMmV":
        return "give numbers: a number, a list of them, or an array of NumPy's"
    if kind != "real" and of == "f":
        return "give whole numbers; `.astype('int64')` cuts off what is behind the point"
    return f"convert the array: `.astype('{'float64' if kind == 'real' else 'int64'}')`"


def _is_exact(array: np.ndarray, made: np.ndarray) -> bool:
    if made.dtype.kind == "i":
        return array.dtype.kind == "i" or bool((made >= 0).all())
    # Doubles from 2^63 on come back as no integer of 64 bits, so that they are looked at before.
    limit = 2.0**63 if array.dtype.kind == "i" else 2.0**64
    return bool((np.abs(made) < limit).all()) and bool((made.astype(array.dtype) == array).all())
