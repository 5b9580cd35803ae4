# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""What an argument must be, in one line that names it and says what was found."""

from __future__ import annotations

import operator
import sys
from typing import Any, NoReturn

import torch
from torch.overrides import is_tensor_like

from heed._text import shown


def refuse(where: str, expected: str, value: object) -> NoReturn:
    kind = value if isinstance(value, type) else type(value)
    module = "" if kind.__module__ == "builtins" else kind.__module__.removesuffix("._core") + "."
    article = "the class " if kind is value else ""
    raise TypeError(f"{where} must be {expected}, found {article}{module}{kind.__qualname__}") from None


def check_tensor(where: str, value: object) -> None:
    """Tensors, and what stands for one while a program is traced."""
    if not is_tensor_like(value):
        refuse(where, "a torch.Tensor", value)


_SHORT = {"bool": "boolean", "float": "f", "bfloat": "bf", "complex": "c", "uint": "u", "int": "i"}


def dtype_name(dtype: torch.dtype) -> str:
    """As heed's other errors name it."""
    name = str(dtype).removeprefix("torch.")
    word = name.rstrip("0123456789")
    return _SHORT.get(word, word) + name[len(word) :]


def number(where: str, value: Any, expected: str = "a number") -> float:
    """One of Python's, from any library's. A symbol of torch.compile's stays one."""
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        raise TypeError(f"{where} must be a number that a float can hold, found {shown(value)}")
    if isinstance(value, (float, int, torch.SymFloat, torch.SymInt)):
        return value  # type: ignore[return-value]
    if isinstance(value, torch.Tensor) and value.requires_grad:
        refuse(where, f"{expected} without a gradient", value)
    try:
        return float(value.__float__())  # which a text that says a number does not have
    except (AttributeError, TypeError, ValueError, RuntimeError):
        refuse(where, expected, value)


def whole(where: str, value: Any) -> int:
    """The same of whole numbers."""
    if isinstance(value, (int, torch.SymInt)):
        return value  # type: ignore[return-value]
    try:
        return operator.index(value)
    except TypeError:
        refuse(where, "a whole number", value)
