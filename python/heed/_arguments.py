# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Which argument of a call is wrong, in one line. The extension asks when a call fits none of a function's signatures."""

from __future__ import annotations

import ast
import inspect
import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from heed import _core
from heed._text import shortened, shown


class _Kind(NamedTuple):
    """What an annotation means."""

    words: str
    fits: Any  # of a value: bool


def _is_number(value: Any) -> bool:
    return hasattr(value, "__float__") or hasattr(value, "__index__")


def _is_array(value: Any) -> bool:
    return not isinstance(value, (type, type(None), str, list, tuple, int, float, dict))


def _is_array_like(value: Any) -> bool:
    return isinstance(value, (list, tuple, int, float)) or _is_array(value)


_SCORES = (_core.ScaledDot, _core.Dot, _core.Gaussian, _core.Additive)
_SCORE_NAMES = ("scaled-dot", "scaled_dot", "dot", "gaussian")
_KINDS = {
    "None": _Kind("None", lambda x: x is None),
    "bool": _Kind("True or False", lambda x: isinstance(x, bool)),
    "int": _Kind("an int", lambda x: hasattr(x, "__index__")),
    "float": _Kind("a number", _is_number),
    "str": _Kind("a str", lambda x: isinstance(x, str)),
    "tuple": _Kind("a tuple", lambda x: isinstance(x, tuple)),
    "os.PathLike[str]": _Kind("a path", lambda x: hasattr(x, "__fspath__")),
    "heed._typing.Array": _Kind("an array", _is_array),
    "heed._typing.ArrayLike": _Kind("an array, a number or nested lists of numbers", _is_array_like),
    "heed._typing.Score": _Kind("one of heed's scores", lambda x: isinstance(x, _SCORES)),
    "heed._typing.ScoreLike": _Kind(
        "one of heed's scores, \"scaled-dot\", \"dot\" or \"gaussian\"",
        lambda x: isinstance(x, _SCORES) or isinstance(x, str) and x in _SCORE_NAMES,
    ),
    "heed._typing.MaskLike": _Kind("a heed.Mask, a boolean array", lambda x: isinstance(x, _core.Mask)),
    "heed._typing.DtypeLike": _Kind(
        "\"float32\", \"float64\", \"int64\", \"bool\" or a type of these names", lambda x: isinstance(x, _core.Dtype)
    ),
}
_ANYTHING = _Kind("anything", lambda x: True)


def _meaning(annotation: ast.expr | None) -> _Kind:
    if isinstance(annotation, ast.BinOp):  # X | Y
        a, b = _meaning(annotation.left), _meaning(annotation.right)
        return _Kind(f"{a.words} or {b.words}", lambda x: a.fits(x) or b.fits(x))
    if annotation is None:
        return _ANYTHING
    text = ast.unparse(annotation)
    if text in _KINDS:
        return _KINDS[text]
    if isinstance(annotation, ast.Subscript):
        return _composed(ast.unparse(annotation.value), annotation.slice)
    kind = _named(text.rpartition(".")[2])
    if kind is None:
        return _ANYTHING
    module = kind.__module__.replace("._core", "").replace("._", ".")
    return _Kind(f"a {module}.{kind.__qualname__}", lambda x: isinstance(x, kind))


def _composed(name: str, items: ast.expr) -> _Kind:
    if name == "typing.Literal":
        choices = ast.literal_eval(items)
        return _Kind(" or ".join(f'"{choice}"' for choice in choices), lambda x: isinstance(x, str) and x in choices)
    if name == "collections.abc.Mapping":
        return _Kind("a dict", lambda x: isinstance(x, Mapping))
    if name not in ("collections.abc.Sequence", "tuple"):
        return _ANYTHING
    item = _meaning(items.elts[0] if isinstance(items, ast.Tuple) else items)
    words = f"a sequence, each item {item.words}"
    return _Kind(words, lambda x: isinstance(x, Sequence) and not isinstance(x, str) and all(map(item.fits, x)))


def _named(name: str) -> type | None:
    """A class of the extension."""
    for module in (_core, _core._nn, _core._optim):
        if isinstance(kind := getattr(module, name, None), type):
            return kind
    return None


def _found(value: Any) -> str:
    kind = value if isinstance(value, type) else type(value)
    module = "" if kind.__module__ == "builtins" else kind.__module__.replace("._core", "").replace("._", ".") + "."
    elements = f" of {value.dtype}" if _is_array(value) and hasattr(value, "dtype") and kind is not value else ""
    return shortened(f"{'the class ' if kind is value else ''}{module}{kind.__qualname__}{elements}")


def read_signature(text: str, defaults: Sequence[Any] = ()) -> inspect.Signature:
    """Of nanobind's text, in which \\0, \\1, ... stand for defaults; annotations are syntax trees."""
    function = ast.parse(re.sub(r"\\(\d+)", r"__default(\1)", text) + ": ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    args, kinds = function.args, inspect.Parameter

    def value_of(default: ast.expr | None) -> Any:
        if default is None:
            return kinds.empty
        if isinstance(default, ast.Call):
            return defaults[ast.literal_eval(default.args[0])] if defaults else ...
        return ast.literal_eval(default)

    plain = [(a, kinds.POSITIONAL_ONLY) for a in args.posonlyargs] + [(a, kinds.POSITIONAL_OR_KEYWORD) for a in args.args]
    missing: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults))
    found: list[tuple[ast.arg, Any, ast.expr | None]] = [
        (a, kind, default) for (a, kind), default in zip(plain, [*missing, *args.defaults])
    ]
    found += [(args.vararg, kinds.VAR_POSITIONAL, None)] if args.vararg else []
    found += [(a, kinds.KEYWORD_ONLY, default) for a, default in zip(args.kwonlyargs, args.kw_defaults)]
    found += [(args.kwarg, kinds.VAR_KEYWORD, None)] if args.kwarg else []
    parameters = [kinds(a.arg, kind, default=value_of(default), annotation=a.annotation) for a, kind, default in found]
    return inspect.Signature(parameters, return_annotation=function.returns)


def _range(value: int) -> str | None:
    """What an int must be that is one, and was refused. C++ says no more than that."""
    if not -(2**63) <= value < 2**63:
        return "an int of at most 64 bits"
    if not -(2**31) <= value < 2**31:
        return "an int of at most 32 bits"
    return "an int of at least 0" if value < 0 else None


def _too_large(value: Any) -> bool:
    """Whether no float is so large."""
    try:
        float(value)
    except OverflowError:
        return True
    except (TypeError, ValueError):
        return False
    return False


class _Mistake(NamedTuple):
    words: str
    understood: int  # arguments that the signature could place


def _mistake(text: str, positional: tuple[Any, ...], named: dict[str, Any]) -> _Mistake | None:
    signature = read_signature(text)
    try:
        given = signature.bind(*positional, **named).arguments
    except TypeError as error:
        return _Mistake(str(error), sum(name in signature.parameters for name in named))
    understood = len(positional) + len(named)
    given.pop("self", None)
    annotations = {name: signature.parameters[name].annotation for name in given}
    for name, value in given.items():
        kind = _meaning(annotations[name])
        if signature.parameters[name].kind.name[:3] != "VAR" and not kind.fits(value):
            return _Mistake(f"{name} must be {kind.words}, found {_found(value)}", understood)
    for name, value in given.items():
        words = ast.unparse(annotations[name] or ast.Constant(None))
        if words in ("int", "int | None") and value is not None:
            if expected := _range(operator.index(value)):
                return _Mistake(f"{name} must be {expected}, found {shown(value)}", understood)
        if words in ("float", "float | None") and _too_large(value):
            return _Mistake(f"{name} must be a number that a float can hold, found {shown(value)}", understood)
    return None


def _refused_array(text: str, positional: tuple[Any, ...], named: dict[str, Any]) -> str | None:
    """The name of the first argument that no tensor can be made of."""
    signature = read_signature(text)
    try:
        given = signature.bind(*positional, **named).arguments
    except TypeError:
        return None
    for name, value in given.items():
        annotation = ast.unparse(signature.parameters[name].annotation or ast.Constant(None))
        if "heed._typing.ArrayLike" in annotation or "heed._typing.MaskLike" in annotation:
            try:
                if not isinstance(value, (_core.Mask, str, type(None))):
                    _core.tensor(value)
            except (TypeError, ValueError):
                return name
    return None


def explain(function: Any, positional: tuple[Any, ...], named: dict[str, Any], said: str) -> str | None:
    """What to say instead of `said`. Nothing where only C++ knows what is wrong."""
    texts = [signature[0] for signature in function.__nb_signature__]
    where = function.__qualname__.removesuffix(".__init__").removesuffix(".__call__")
    if said.startswith("argument "):
        name = next(filter(None, (_refused_array(text, positional, named) for text in texts)), None)
        return name and f"{where}: {name}{said.removeprefix('argument')}"
    mistakes = [_mistake(text, positional, named) for text in texts]
    # Of several ways to call a function, the caller meant the one that knows the most of the arguments.
    found = max((mistake for mistake in mistakes if mistake), key=lambda mistake: mistake.understood, default=None)
    if found:
        return f"{where}: {found.words}"
    kinds = ", ".join(map(_found, [*positional, *named.values()]))
    return shortened(f"{where}: does not take these arguments together: {kinds}", 300)
