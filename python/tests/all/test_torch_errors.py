# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.torch refuses what it cannot do, in one line that names the argument."""

import numpy as np
import pytest
import torch
import torch.autograd.forward_ad as forward_mode
from torch._subclasses.fake_tensor import FakeTensorMode

import heed
import heed.torch as ht
from torch_calls import by_attend, close, draw

torch.manual_seed(0)


def test_second_derivatives_are_refused():
    q, k, v = draw(3, 4), draw(5, 4), draw(5, 2)
    call = (q, k, v, None, [], [], [-1, 0, 0], "scaled_dot", [], None, None, 0.0, None)
    for function in (by_attend, torch.ops.heed.attend):
        for loss in (torch.sum, lambda x: x.sin().sum()):  # whose own gradients depend on nothing, and on the output
            (grad,) = torch.autograd.grad(loss(function(*call)[0]), q, create_graph=True)
            close(grad, torch.autograd.grad(loss(function(*call)[0]), q)[0])
            assert grad.requires_grad
            for x in (q, k, v):  # other terms would hide what is missing
                with pytest.raises(heed.Error, match="no second derivatives"):
                    torch.autograd.grad(grad.sum() + (q.sum() * k.sum() * v.sum()) ** 2, x, retain_graph=True)
    with pytest.raises(heed.Error, match="second derivatives"):
        torch.autograd.functional.hessian(lambda q: ht.attend(q, k, v).sum(), q)


@pytest.mark.filterwarnings("ignore:.torch.jit")
def test_forward_mode_is_refused():
    q, k, v = (draw(3, 4, grad=False) for _ in range(3))
    with forward_mode.dual_level(), pytest.raises(heed.Error, match="backward mode alone"):
        ht.attend(q, forward_mode.make_dual(k, v), v)
    for name, derive in {
        "jvp": lambda f: torch.func.jvp(f, (k,), (v,)), "grad": lambda f: torch.func.grad(f)(k),
        "grad ": lambda f: torch.func.vmap(torch.func.grad(lambda k: f(k[None])))(k),
    }.items():  # fmt: skip
        with pytest.raises(heed.Error, match=f"takes vmap, found {name.strip()}"):
            derive(lambda k: ht.attend(q, k, v[: len(k)]).sum())


def test_what_was_overwritten_is_not_differentiated():
    q, k, v = (draw(3, 4) for _ in range(3))
    for change in (lambda x, out: x.add_(1), lambda x, out: out.add_(1)):
        x = q.clone()
        out = ht.attend(x, k, v)
        change(x, out)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            out.sum().backward()


def test_errors_name_the_argument():
    x = torch.ones(3, 4)
    with pytest.raises(heed.Error, match="attend: "):
        ht.attend(x, x[:, :2], x)
    with pytest.raises(heed.Error, match="queries must be f32 or f64, found f16"):
        ht.attend(x.half(), x.half(), x.half())
    with pytest.raises(TypeError, match="score must be one of heed.torch's scores"):
        ht.attend(x, x, x, score=heed.Dot())
    with pytest.raises(ValueError, match="not both"):
        ht.attend(x, x, x, score=ht.Gaussian(bandwidth=1, w=1))
    with pytest.raises(ValueError, match="align"):
        ht.causal(align="centre")
    with pytest.raises(ValueError, match=r"window: left must be less than 2\*\*63, found 10"):
        ht.window(left=10**30)
    for wrong in (0, 1, True, False, "x" * 10**6):
        with pytest.raises(ValueError, match="window: align must be") as caught:
            ht.window(align=wrong)
        assert len(str(caught.value)) < 200
    with pytest.raises(TypeError, match="ScaledDot.scale must be a number that a float can hold, found one of 1329 bits"):
        ht.attend(x, x, x, score=ht.ScaledDot(10**400))
    masked = np.ma.array([1, 2], mask=[True, False])
    with pytest.raises(heed.Error, match="valid_lens: lengths has masked entries"):
        ht.valid_lens(masked)
    with pytest.raises(heed.Error, match="num_hiddens must be a multiple"):
        ht.MultiHeadAttention(4, 4, 4, 7, 2)


X, ONES = torch.ones(3, 4), np.ones((3, 4), dtype=np.float32)
MASK = r"must be a heed.torch.Mask \(heed.torch.causal\(\), valid_lens, window, or mask\(tensor\) for a boolean tensor\), found "
MISTAKES = {
    "mask of heed": (lambda: ht.attend(X, X, X, mask=heed.causal()), "attend: mask " + MASK + "heed.Mask"),
    "mask of PyTorch": (lambda: ht.attend(X, X, X, mask=X > 0), "attend: mask " + MASK + "torch.Tensor"),
    "mask not called": (lambda: ht.attend(X, X, X, mask=ht.causal), "attend: mask " + MASK + "function"),
    "mask & tensor": (lambda: ht.causal() & (X > 0), "Mask: both sides of & " + MASK + "torch.Tensor"),
    "tensor & mask": (lambda: (X > 0) & ht.causal(), "Mask: both sides of & " + MASK + "torch.Tensor"),
    "masks of both": (lambda: heed.causal() & ht.causal(), "Mask: both sides of & " + MASK + "heed.Mask"),
    "score of heed": (lambda: ht.attend(X, X, X, score=heed.Dot()), "attend: score must be one of heed.torch's scores, found heed.Dot"),
    "score not made": (lambda: ht.attend(X, X, X, score=ht.Dot), "found the class heed.torch.scores.Dot"),
    "array for queries": (lambda: ht.attend(ONES, X, X), "attend: queries must be a torch.Tensor, found numpy.ndarray"),
    "None for keys": (lambda: ht.attend(X, None, X), "attend: keys must be a torch.Tensor, found NoneType"),
    "tensor of heed": (lambda: ht.attend(X, X, heed.ones((3, 4))), "attend: values must be a torch.Tensor, found heed.Tensor"),
    "bias": (lambda: ht.attend(X, X, X, bias=ONES), "attend: bias must be a torch.Tensor, found numpy.ndarray"),
    "W_k": (lambda: ht.attend(X, X, X, score=ht.Additive(X, ONES, X)), "attend: Additive.W_k must be a torch.Tensor, found numpy.ndarray"),
    "bandwidth": (lambda: ht.attend(X, X, X, score=ht.Gaussian([1.0])), "attend: Gaussian.bandwidth must be a number or a torch.Tensor, found list"),
    "w": (lambda: ht.attend(X, X, X, score=ht.Gaussian(w="2")), "attend: Gaussian.w must be a number or a torch.Tensor, found str"),
    "scale": (lambda: ht.attend(X, X, X, score=ht.ScaledDot("1")), "attend: ScaledDot.scale must be a number, found str"),
    "softcap": (lambda: ht.attend(X, X, X, softcap=X), "attend: softcap must be a number, found torch.Tensor"),
    "learned softcap": (lambda: ht.attend(X, X, X, softcap=draw(1)), "attend: softcap must be a number without a gradient"),
    "dropout": (lambda: ht.attend(X, X, X, dropout=None), "attend: dropout must be a number, found NoneType"),
    "allowed": (lambda: ht.mask(ONES > 0), "mask: allowed must be a torch.Tensor, found numpy.ndarray"),
    "lengths": (lambda: ht.valid_lens([[1], [2, 3]]), "valid_lens: lengths must be .* of one length, found list"),
    "lengths of a module": (lambda: ht.DotProductAttention()(X, X, X, ht.causal()), "valid_lens: lengths .* found heed.torch.masks.Mask"),
    "reach": (lambda: ht.window(left=1.5), "window: left must be a whole number, found float"),
    "query": (lambda: ht.sdpa(ONES, X, X), "sdpa: query must be a torch.Tensor, found numpy.ndarray"),
    "key": (lambda: ht.sdpa(X, None, X), "sdpa: key must be a torch.Tensor, found NoneType"),
    "value": (lambda: ht.sdpa(X, X, [1.0]), "sdpa: value must be a torch.Tensor, found list"),
    "attn_mask": (lambda: ht.sdpa(X, X, X, ht.causal()), "sdpa: attn_mask must be a torch.Tensor, found heed.torch.masks.Mask"),
    "dropout_p": (lambda: ht.sdpa(X, X, X, dropout_p="a"), "sdpa: dropout_p must be a number, found str"),
    "scale of sdpa": (lambda: ht.sdpa(X, X, X, scale="a"), "sdpa: scale must be a number, found str"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_wrong_types_are_one_line(name):
    run, text = MISTAKES[name]
    with pytest.raises(TypeError, match=text) as error:
        run()
    assert "\n" not in str(error.value)


def fake_gpu():
    with FakeTensorMode():
        x = torch.ones(3, 4, device="cuda")
        ht.attend(x, x, x)


X5 = torch.ones(2, 2, 3, 3, 4)
WRONG_TENSORS = {
    "keys without memory": (lambda: ht.attend(X, X.to("meta"), X), "attend: keys must be a strided tensor of the CPU, found torch.strided of meta"),
    "values with memory": (lambda: ht.attend(X.to("meta"), X.to("meta"), X), "attend: queries must be a strided tensor of the CPU, found .* of meta"),
    "lengths elsewhere": (
        lambda: ht.attend(X[None], X[None], X[None], mask=ht.valid_lens(torch.tensor([1], device="meta"))),
        "attend: valid_lens must be a strided tensor of the CPU",
    ),
    "with a gradient": (lambda: ht.attend(draw(3, 4), X.to("meta"), X), "attend: keys must be a strided tensor of the CPU"),
    "sparse": (lambda: ht.attend(X.to_sparse(), X, X), "attend: queries must be a strided tensor of the CPU, found torch.sparse_coo of cpu"),
    "another device": (fake_gpu, "attend: queries must be a strided tensor of the CPU, found torch.strided of cuda:0"),
    "integers": (lambda: ht.attend(X.long(), X.long(), X.long()), "attend: queries must be f32 or f64, found i64"),
    "boolean bias": (lambda: ht.attend(X, X, X, bias=X > 0), "attend: bias must be f32 like queries, found boolean; a boolean tensor is a mask"),
    "dropout": (lambda: ht.attend(X, X, X, dropout=2), "attend: dropout must lie in 0..1, found 2"),
    "dropout_p": (lambda: ht.sdpa(X, X, X, dropout_p=2), "sdpa: dropout_p must lie in 0..1, found 2"),
    "half a key": (lambda: ht.valid_lens([1.9]), r"valid_lens: lengths\[0\] is 1.9, expected a whole number"),
    "no number": (lambda: ht.valid_lens(torch.tensor([1, torch.nan])), r"valid_lens: lengths\[1\] is nan, expected a whole number"),
    "a huge length": (lambda: ht.valid_lens([10**30]), r"valid_lens: lengths\[0\] is 1e\+30, expected a whole number"),
    "a large length": (
        lambda: ht.valid_lens(torch.tensor([2**64 - 1], dtype=torch.uint64)),
        r"valid_lens: lengths\[0\] is 18446744073709551615, expected a whole number",
    ),
    "scale": (lambda: ht.attend(X, X, X, score=ht.ScaledDot(1e39)), r"attend: ScaledDot.scale must lie within .*, as queries are f32, found 1e\+39"),
    "bandwidth": (lambda: ht.attend(X, X, X, score=ht.Gaussian(1e-60)), "attend: Gaussian.bandwidth must have an inverse .*, found 1e-60"),
    "integers in attn_mask": (lambda: ht.sdpa(X, X, X, X.long()), "sdpa: attn_mask must be boolean or f32 like query, found i64"),
    "shape of attn_mask": (
        lambda: ht.sdpa(X5, X5, X5, torch.ones(7, 3, 3)),
        r"sdpa: attn_mask of shape \(7, 3, 3\) does not broadcast to the scores \(2, 2, 3, 3, 3\)",
    ),
    "without memory": (
        lambda: heed.attend(X.to("meta"), X, X),
        "attend: queries must be a strided tensor of the CPU, found torch.strided of meta",
    ),
    "sparse for heed": (lambda: heed.attend(X, X.to_sparse(), X), "attend: keys must be a strided tensor of the CPU, found torch.sparse_coo of cpu"),
    "one sequence": (lambda: ht.MultiHeadAttention(4, 4, 4, 4, 2)(X, X, X), r"MultiHeadAttention: queries must have shape \(B, L, 4\), found \(3, 4\)"),
    "width": (
        lambda: ht.MultiHeadAttention(4, 4, 5, 4, 2)(X[None], X[None], X[None]),
        r"MultiHeadAttention: values must have shape \(B, L, 5\), found \(1, 3, 4\)",
    ),
    "shape of a mask of one batch": (
        lambda: ht.sdpa(X, X, X, torch.ones(2, 3)),
        r"sdpa: attn_mask of shape \(2, 3\) does not broadcast to the scores \(3, 3\)",
    ),
    "no heads": (
        lambda: ht.sdpa(X, X5[0], X5[0], enable_gqa=True),
        r"sdpa: query, key and value must be \(..., H, L, D\), found \(3, 4\), \(2, 3, 3, 4\), \(2, 3, 3, 4\)",
    ),
    "batches": (lambda: ht.sdpa(X5[0], X5[:, :, 0], X5[0]), r"sdpa: query, key and value .* found \(2, 3\) and \(2, 2\) and \(2, 3\)"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_TENSORS)
def test_wrong_tensors_are_one_line(name):
    run, text = WRONG_TENSORS[name]
    with pytest.raises(heed.Error, match=text) as error:
        run()
    assert "\n" not in str(error.value)


def test_numbers_of_other_libraries():
    numbers = dict(softcap=np.float32(2), dropout=torch.tensor(0.0), score=ht.ScaledDot(np.float64(0.5)))
    out = ht.attend(X, X, X, mask=ht.window(np.int64(1), torch.tensor(2)), **numbers)
    close(out, ht.attend(X, X, X, mask=ht.window(1, 2), softcap=2, score=ht.ScaledDot(0.5)))
