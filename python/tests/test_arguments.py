"""Errors of types say which argument is wrong, in one line."""

import numpy as np
import pytest

import heed

X = np.ones((3, 4))
ARRAY = "an array, a number or nested lists of numbers"
WRONG = {
    "mask is an array": (lambda: heed.attend(X, X, X, mask=X > 0), "attend: mask must be a heed.Mask or None, found numpy.ndarray"),
    "mask is a str": (lambda: heed.attend(X, X, X, mask="causal"), "attend: mask must be a heed.Mask or None, found str"),
    "score is a str": (lambda: heed.attend(X, X, X, score="dot"), "attend: score must be one of heed's scores or None, found str"),
    "score is a class": (lambda: heed.attend(X, X, X, score=heed.Dot), "attend: score must be one of heed's scores or None, found the class heed.Dot"),
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
    "a shape": (lambda: heed.ones((2, "b")), "ones: shape must be an int or a sequence, each item an int, found tuple"),
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


def test_every_signature_can_be_read():
    from heed import _arguments, _core

    functions = []
    for scope in (_core, _core._nn, _core._optim):
        for value in vars(scope).values():
            functions += vars(value).values() if isinstance(value, type) else [value]
    read = [_arguments._signature(f.__nb_signature__[0][0]) for f in functions if type(f).__name__ in ("nb_func", "nb_method")]
    assert len(read) > 100
