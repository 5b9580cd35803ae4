# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Errors of types say which argument is wrong, in one line."""

import inspect
import pydoc
import re
import subprocess
import sys

import numpy as np
import pytest

import heed

X = np.ones((3, 4))
SCORE = "one of heed's scores, \"scaled-dot\", \"dot\" or \"gaussian\""
ARRAY = "an array, a number or nested lists of numbers"
WRONG = {
    "mask is an array": (lambda: heed.attend(X, X, X, mask=X), "attend: mask must be a heed.Mask, a boolean array or None, found numpy.ndarray of float64"),
    "mask is a str": (lambda: heed.attend(X, X, X, mask="causal"), "attend: mask must be a heed.Mask, a boolean array or None, found str"),
    "score is a str": (lambda: heed.attend(X, X, X, score="cosine"), f"attend: score must be {SCORE} or None, found str"),
    "score is a class": (lambda: heed.attend(X, X, X, score=heed.Dot), f"attend: score must be {SCORE} or None, found the class heed.Dot"),
    "softcap": (lambda: heed.attend(X, X, X, softcap="a"), "attend: softcap must be a number or None, found str"),
    "dropout": (lambda: heed.attend(X, X, X, dropout="a"), "attend: dropout must be a number, found str"),
    "return_lse": (lambda: heed.attend(X, X, X, return_lse=1), "attend: return_lse must be True or False, found int"),
    "seed is negative": (lambda: heed.attend(X, X, X, seed=-1), "attend: seed must be an int of at least 0, found -1"),
    "seed is huge": (lambda: heed.attend(X, X, X, seed=2**64), f"attend: seed must be an int of at most 64 bits, found {2**64}"),
    "left": (lambda: heed.window(left=10**30), f"window: left must be an int of at most 64 bits, found {10**30}"),
    "threads": (lambda: heed.set_num_threads(10**12), f"set_num_threads: threads must be an int of at most 32 bits, found {10**12}"),
    "allowed": (lambda: heed.mask(None), f"mask: allowed must be {ARRAY}, found NoneType"),
    "lengths": (lambda: heed.valid_lens(None), f"valid_lens: lengths must be {ARRAY}, found NoneType"),
    "align": (lambda: heed.causal(align=3), 'causal: align must be "top_left" or "bottom_right" or None, found int'),
    "scores": (lambda: heed.masked_softmax("a"), f"masked_softmax: scores must be {ARRAY}, found str"),
    "an object": (lambda: heed.matmul(X, object()), f"matmul: b must be {ARRAY}, found object"),
    "a method": (lambda: heed.ones((2,)).backward("x"), f"Tensor.backward: seed must be {ARRAY} or None, found str"),
    "a constructor": (lambda: heed.ScaledDot("a"), "ScaledDot: scale must be a number or None, found str"),
    "a shape": (lambda: heed.ones((2, "b")), "ones: sizes must be ints or one sequence of ints, found tuple"),
    "a type by position": (lambda: heed.ones((2,), heed.f64), "ones: sizes must be ints or one sequence of ints, found heed.Dtype; a type is given by name, as in dtype=heed.f64"),
    "a number that no float holds": (lambda: heed.ScaledDot(scale=10**400), "ScaledDot: scale must be a number that a float can hold, found one of 1329 bits"),
    "a number of many digits": (lambda: heed.window(left=10**5000), f"window: left must be an int of at most 64 bits, found one of {(10**5000).bit_length()} bits"),
    "one of two ways": (lambda: heed.nn.MultiHeadAttention(4, 4, 4, 4, 2, dropout="a"), "MultiHeadAttention: dropout must be a number, found str"),
    "a module": (lambda: heed.nn.MultiHeadAttention(hidden=4, heads=2)(X, None, X), f"MultiHeadAttention: keys must be {ARRAY}, found NoneType"),
    "a module's size": (lambda: heed.nn.MultiHeadAttention(hidden=4.5, heads=2), "MultiHeadAttention: hidden must be an int, found float"),
    "an optimiser": (lambda: heed.optim.SGD(3), "SGD: parameters must be a sequence, each item a heed.Tensor, found int"),
    "one missing": (lambda: heed.attend(X, X), "attend: missing a required argument: 'values'"),
    "one too many": (lambda: heed.attend(X, X, X, X), "attend: too many positional arguments"),
    "one unknown": (lambda: heed.attend(X, X, X, maks=1), "attend: got an unexpected keyword argument 'maks'"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_types_are_one_line_that_names_the_argument(name):
    call, text = WRONG[name]
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == text


def test_nested_lists_are_named_too():
    with pytest.raises(heed.Error) as caught:
        heed.softmax([[1.0], [2.0, 3.0]])
    assert str(caught.value) == "softmax: x is made of nested lists of unequal length"


def test_errors_speak_python():
    x = heed.ones(3, 4)
    for mask in (heed.causal(), heed.window(left=1)):
        with pytest.raises(heed.Error, match='which corner the diagonal starts from: align="top_left" or align="bottom_right"'):
            heed.attend(x[:1], x, x, mask=mask)
    for call in (lambda: x[x > 0], lambda: heed.tensor([1.0, heed.nn.Linear(1, 1)]), lambda: heed.zeros(heed.nn.Linear(1, 1))):
        with pytest.raises(TypeError, match=r"found heed\.(Tensor|nn\.Linear)"):
            call()
    with pytest.raises(heed.Error, match="^matmul: "):
        heed.ones(2, 3) @ heed.ones(4, 5)


def test_errors_of_what_is_called_stay_as_they_are():
    class Array:
        def __array_interface__(self):
            raise AssertionError

        def __float__(self):
            raise TypeError("not today")

    with pytest.raises(TypeError):
        heed.attend(X, X, X, dropout=Array())
    with pytest.raises(TypeError, match="unsupported operand"):
        heed.causal() & 3


def functions():
    for module in (heed, heed.nn, heed.optim):
        for name, value in list(vars(module).items()):
            if name.startswith("_") or not getattr(value, "__module__", "").startswith("heed"):
                continue
            if inspect.isclass(value):
                members = [(f"{name}.{member}", method) for member, method in vars(value).items()]
                yield from ((n, m) for n, m in members if inspect.isfunction(m) and m.__module__.startswith("heed"))
            elif inspect.isfunction(value):
                yield f"{module.__name__}.{name}", value


def test_every_function_can_be_inspected():
    found = dict(functions())
    assert len(found) > 150
    for name, function in found.items():
        signature = inspect.signature(function)
        assert str(signature).startswith("("), name
        assert function.__name__ in pydoc.plain(pydoc.render_doc(function)), name
    attend = inspect.signature(heed.attend)
    assert list(attend.parameters)[:4] == ["queries", "keys", "values", "score"]
    assert attend.parameters["dropout"].default == 0.0 and attend.parameters["mask"].annotation == "MaskLike | None"
    assert inspect.signature(heed.eye).parameters["dtype"].default is heed.f32
    assert list(inspect.signature(heed.nn.Linear).parameters) == ["in_features", "out_features", "bias", "dtype"]
    assert list(inspect.signature(heed.ones(2).sum).parameters) == ["dim", "keepdim"]


def test_importing_reads_no_signature():
    program = "import heed, sys; print('heed._arguments' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


ENUMERATIONS = re.compile(r"DtypeLike|ScoreLike|Literal|Colours|Align|Gelu")
NAMED = {"align", "form", "colours", "pool", "style", "y_scale", "separator", "score", "dtype"}


def enumerated():
    """Every argument that chooses one of a few things, of every function and constructor."""
    for name, function in functions():
        signature = inspect.signature(function)
        for parameter in signature.parameters.values():
            if parameter.name in NAMED or ENUMERATIONS.search(str(parameter.annotation)):
                yield pytest.param(function, parameter.name, id=f"{name} {parameter.name}")


# Arguments that are right, for functions that need some before the enumeration is looked at.
RIGHT = {
    "data": [1.0], "shape": (2,), "value": 1.0, "n": 2, "start": 0, "stop": 1, "count": 2, "x": X, "y": X, "at": X, "values": X,
    "queries": X, "keys": X, "length": 2, "width": 2, "path": "x.csv", "series": [], "matrix": X, "in_features": 2,
    "out_features": 2, "num_embeddings": 2, "hidden": 4, "heads": 2, "normalized_shape": 2, "key_size": 2, "query_size": 2,
    "input_size": 2, "n_head": 2, "d_k": 2, "d_input": 2,
}  # fmt: skip


@pytest.mark.parametrize("wrong", [0, 1, 2, True, False], ids=repr)
@pytest.mark.parametrize("function,parameter", list(enumerated()))
def test_no_number_is_an_enumeration(function, parameter, wrong):
    signature = inspect.signature(function)
    owner = function.__qualname__.partition(".")[0]
    call = function
    given = {name: RIGHT[name] for name, p in signature.parameters.items()
             if p.default is p.empty and p.kind.name[:3] != "VAR" and name not in ("self", parameter)}  # fmt: skip
    if "." in function.__qualname__ and function.__name__ == "__init__":
        call = getattr(heed, owner, None) or getattr(heed.nn, owner)
    elif "." in function.__qualname__:
        made = {"Tensor": lambda: heed.ones(2), "Module": lambda: heed.nn.Linear(2, 2), "PositionalEncoding": lambda: heed.nn.PositionalEncoding(2)}
        call = getattr(made[owner](), function.__name__)
    with pytest.raises(TypeError, match=f"{parameter} must be|sizes must be"):
        call(**given, **{parameter: wrong})


def test_a_size_is_never_a_type():
    for make in (heed.zeros, heed.ones, heed.empty, heed.rand, heed.normal):
        for sizes in ((2, 0), (2, 1), (2, 2), (2, 3)):
            assert make(*sizes).shape == make(sizes).shape == sizes and make(*sizes).dtype == heed.f32
        for wrong in ((2, True), (True,), ((2, True),), (2, 1.5), ("2",)):
            with pytest.raises(TypeError, match="sizes must be ints"):
                make(*wrong)
    for call in (lambda: heed.full((2,), 7, 1), lambda: heed.eye(2, 1), lambda: heed.arange(2, 3, 1, 1), lambda: heed.linspace(0, 1, 2, 1)):
        with pytest.raises(TypeError):
            call()


def test_types_go_by_name_and_as_numpys():
    for dtype, names in {
        heed.f32: ("float32", "f32", np.float32, np.dtype("float32")),
        heed.f64: ("float64", "f64", np.float64, float),
        heed.i64: ("int64", "i64", np.int64, int),
        heed.boolean: ("bool", "boolean", np.bool_, bool),
    }.items():
        for name in (dtype, *names):
            assert heed.zeros(2, dtype=name).dtype == heed.tensor([1], dtype=name).dtype == heed.ones(1).to(name).dtype == dtype
    for wrong in ("float16", "f", np.int32, np.dtype("float16"), str, object(), None, 8):
        with pytest.raises(TypeError, match="dtype must be"):
            heed.zeros(2, dtype=wrong)


def test_long_arguments_are_cut():
    long = "x" * 10**6
    for call in (
        lambda: heed.causal(align=long), lambda: heed.gelu([1.0], long), lambda: heed.Heatmap(X, colours=long),
        lambda: heed.downsample(X, pool=long), lambda: heed.Series([1.0], [1.0], style=long),
        lambda: heed.Chart([], y_scale=long), lambda: heed.window(left=10**100000),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError)) as caught:
            call()
        assert len(str(caught.value)) < 300
