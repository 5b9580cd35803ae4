# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The extension's functions as Python's own: inspect and help read them, and pickle finds them."""

from __future__ import annotations

import ast
import inspect
import os
from typing import Any

# The other special methods are operators, which nobody asks for a signature.
_SPECIAL = ("__init__", "__call__")


class _Signature(inspect.Signature):
    """Read from the extension's text when somebody asks. Importing the package reads none."""

    __slots__ = ("_text", "_defaults", "_found")

    def __init__(self, text: str, defaults: tuple[Any, ...]) -> None:
        self._text, self._defaults = text, defaults
        self._found: inspect.Signature | None = None

    def _read(self) -> inspect.Signature:
        if self._found is None:
            from heed import _arguments

            told = _arguments.read_signature(self._text, self._defaults)
            words = [p.replace(annotation=_words(p.annotation)) for p in told.parameters.values()]
            self._found = inspect.Signature(words, return_annotation=_words(told.return_annotation))
        return self._found

    def replace(self, **changes: Any) -> Any:
        return self._read().replace(**changes)

    @property
    def _parameters(self) -> Any:
        return self._read().parameters

    @property
    def _return_annotation(self) -> Any:
        return self._read().return_annotation


def _words(annotation: ast.expr | None) -> Any:
    if annotation is None:
        return inspect.Parameter.empty
    return ast.unparse(annotation).replace("heed._typing.", "").replace("heed._core.", "")


def _presented(function: Any, module: str) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    text, doc, defaults = function.__nb_signature__[0]
    call.__name__, call.__qualname__, call.__module__ = function.__name__, function.__qualname__, module
    call.__doc__ = doc
    call.__signature__ = _Signature(text, defaults or ())  # type: ignore[attr-defined]
    return call


def present(module: str, names: dict[str, Any]) -> None:
    """Puts functions of Python's in the place of the extension's, and of its classes' methods. Type stubs are made of what
    the extension itself says."""
    if os.environ.get("HEED_STUBGEN"):
        return
    for name, value in list(names.items()):
        if type(value).__name__ == "nb_func":
            names[name] = _presented(value, module)
        elif isinstance(value, type) and value.__module__.startswith("heed"):
            for member, method in list(vars(value).items()):
                if type(method).__name__ == "nb_method" and (not member.startswith("__") or member in _SPECIAL):
                    setattr(value, member, _presented(method, module))
