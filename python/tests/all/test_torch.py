# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.torch: the operator and its gradients, sdpa, the notes' modules, arrays of PyTorch and JAX."""

import copy
import doctest
import inspect
import io
from itertools import product

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import heed
import heed.torch as ht
import plain
from heed.torch import d2l
from torch_calls import CALLS, by_attend, close, draw, leaves_of

torch.manual_seed(0)


@pytest.mark.parametrize("name", CALLS)
def test_opcheck(name):
    torch.library.opcheck(torch.ops.heed.attend.default, CALLS[name]())


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("function", [torch.ops.heed.attend, by_attend], ids=["operator", "attend"])
def test_gradcheck(function, name):
    call = CALLS[name]()
    leaves = leaves_of(call)

    def run(*values):
        swap = dict(zip(map(id, leaves), values))
        put = lambda x: swap.get(id(x), x)  # noqa: E731
        out, lse = function(*map(put, call[:4]), *call[4:8], list(map(put, call[8])), *call[9:])
        return out, torch.where(lse.isfinite(), lse, 0)

    assert torch.autograd.gradcheck(run, leaves)


def test_every_choice_of_gradients(monkeypatch):
    asked = []

    def watch(*arguments):
        asked.append(arguments[-1])
        return heed._core._attend_backward(*arguments)

    monkeypatch.setattr(heed.torch.operator, "_attend_backward", watch)
    W = draw(3, 4)
    everything = dict(q=draw(2, 3, 4), k=draw(2, 5, 4), v=draw(2, 5, 2), bias=draw(3, 5), W=W, V=draw(3, 4), w=draw(3))

    def run(q, k, v, bias, W, V, w):
        out, lse = ht.attend(q, k, v, score=ht.Additive(W, V, w), bias=bias, mask=ht.valid_lens([2, 5]), return_lse=True)
        return out.sin().sum() + lse.sum()

    expected = dict(zip(everything, torch.autograd.grad(run(**everything), everything.values())))
    for choice in product((True, False), repeat=len(everything)):
        wanted = dict(zip(everything, choice))
        loss = run(**{name: x if wanted[name] else x.detach() for name, x in everything.items()})
        assert loss.requires_grad == any(choice)
        if any(choice):
            chosen = [name for name in everything if wanted[name]]
            for name, grad in zip(chosen, torch.autograd.grad(loss, [everything[name] for name in chosen])):
                close(grad, expected[name])
            assert asked[-1] == list(choice)  # no others are computed


def test_gradients_of_one_output_and_of_any_strides():
    q, k, v = draw(2, 3, 5, 4), draw(2, 3, 6, 4), draw(2, 3, 6, 4)
    out, lse = ht.attend(q, k, v, return_lse=True)
    keep = dict(retain_graph=True)
    weights = (q @ k.mT / 2).softmax(-1)
    close(torch.autograd.grad(lse.sum(), q, **keep)[0], weights @ k / 2)
    close(torch.autograd.grad(lse.sum(), v, **keep)[0], torch.zeros_like(v))
    close(torch.autograd.grad(out.sum(), v, **keep)[0], weights.mT @ torch.ones_like(out))
    strided = torch.randn(2, 5, 4, 3, dtype=torch.float64).permute(0, 3, 1, 2)
    spread = torch.ones((), dtype=torch.float64).expand(out.shape)
    negated = torch.randn(out.shape, dtype=torch.complex128).conj().imag
    for grad in (strided, spread, negated):
        plain = grad.resolve_neg().contiguous()
        for a, b in zip(*(torch.autograd.grad(out, (q, k, v), g, **keep) for g in (grad, plain))):
            close(a, b)


def test_negated_tensors_are_read_as_they_are():
    q = torch.randn(3, 4, dtype=torch.complex128).conj().imag
    assert q.is_neg()
    for k in (draw(5, 4), draw(5, 4, grad=False)):
        assert torch.equal(ht.attend(q, k, k), ht.attend(q.resolve_neg(), k, k))
        lengths = torch._neg_view(torch.tensor([-2, -3]))
        assert torch.equal(
            ht.attend(k[None].expand(2, 5, 4), k[None].expand(2, 5, 4), k[None].expand(2, 5, 4), mask=ht.valid_lens(lengths)),
            ht.attend(k[None].expand(2, 5, 4), k[None].expand(2, 5, 4), k[None].expand(2, 5, 4), mask=ht.valid_lens([2, 3])),
        )


def test_steps_leak_nothing():
    x = draw(1, 1, 4, 8)
    ht.attend(x, x, x).sum().backward()
    before = heed.memory_use().current
    for _ in range(1000):
        ht.attend(x, x, x, mask=ht.causal()).sum().backward()
        ht.attend(x, x, x)
    assert heed.memory_use().current == before


def test_dropout_gradients_use_the_same_mask():
    v = draw(64, 64)
    x = draw(64, 8, grad=False)
    out = ht.attend(x, x, v, dropout=0.5)
    (grad,) = torch.autograd.grad(out.sum(), v)
    close((grad * v).sum(), out.sum())  # linear in v


SDPA = {
    "plain": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8)),
    "2d": dict(q=(5, 8), k=(7, 8)),
    "3d": dict(q=(2, 5, 8), k=(2, 7, 8)),
    "5d": dict(q=(2, 2, 3, 5, 8), k=(2, 2, 3, 7, 8), attn_mask=lambda: torch.randn(3, 5, 7, dtype=torch.float64)),
    "broadcast": dict(q=(2, 3, 5, 8), k=(1, 3, 7, 8)),
    "causal": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), is_causal=True),
    "causal, fewer keys": dict(q=(2, 3, 7, 8), k=(2, 3, 5, 8), is_causal=True),
    "boolean": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), attn_mask=lambda: torch.rand(2, 1, 5, 7) < 0.7),
    "boolean 2d": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), attn_mask=lambda: torch.rand(5, 7) < 0.7),
    "float": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), attn_mask=lambda: torch.randn(3, 1, 7, dtype=torch.float64)),
    "scale": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), scale=0.2),
    "grouped": dict(q=(2, 6, 5, 8), k=(2, 3, 7, 8), enable_gqa=True),
    "grouped, causal": dict(q=(2, 6, 5, 8), k=(2, 2, 5, 8), enable_gqa=True, is_causal=True),
    "grouped 3d": dict(q=(6, 5, 8), k=(3, 7, 8), enable_gqa=True),
    "grouped 3d, boolean": dict(q=(4, 5, 8), k=(2, 7, 8), enable_gqa=True, attn_mask=lambda: torch.rand(4, 5, 7) < 0.7),
    "grouped 5d": dict(q=(2, 2, 4, 5, 8), k=(2, 2, 2, 7, 8), enable_gqa=True),
}


@pytest.mark.parametrize("name", SDPA)
def test_sdpa_is_pytorchs(name):
    options = dict(SDPA[name])
    q, k, v = draw(*options.pop("q")), draw(*options["k"]), draw(*options.pop("k")[:-1], 4)
    if "attn_mask" in options:
        options["attn_mask"] = options["attn_mask"]()
    results = []
    for f in (ht.sdpa, F.scaled_dot_product_attention):
        out = f(q, k, v, **options)
        results.append([out, *torch.autograd.grad(out.sin().sum(), (q, k, v))])
    for a, b in zip(*results):
        close(a, b)


def test_sdpa_has_pytorchs_arguments():
    assert list(inspect.signature(ht.sdpa).parameters) == [
        "query", "key", "value", "attn_mask", "dropout_p", "is_causal", "scale", "enable_gqa",
    ]  # fmt: skip


def test_sdpa_gives_zero_for_an_empty_row():
    q, k, v = draw(1, 1, 2, 4), draw(1, 1, 3, 4), draw(1, 1, 3, 4)
    mask = torch.tensor([[False] * 3, [True] * 3])
    for m in (mask, torch.zeros(2, 3, dtype=torch.float64).masked_fill(~mask, -torch.inf)):
        out = ht.sdpa(q, k, v, m)
        assert (out[0, 0, 0] == 0).all()
        grads = torch.autograd.grad(out.sum(), (q, k, v))
        assert all(g.isfinite().all() for g in grads) and (grads[0][0, 0, 0] == 0).all()


def test_sdpa_refuses_two_masks():
    x = draw(1, 1, 2, 4)
    with pytest.raises(ValueError, match="attn_mask and is_causal"):
        ht.sdpa(x, x, x, torch.ones(2, 2, dtype=torch.bool), is_causal=True)


def same(ours, theirs, inputs, lens):
    """Outputs, weights and all gradients of two modules with one state."""
    theirs.load_state_dict(ours.state_dict())
    results = []
    for module in (ours, theirs):
        leaves = [x.detach().requires_grad_() for x in inputs]
        out = module(*leaves, lens) if lens is not False else module(*leaves)
        out.sin().sum().backward()
        results.append([out, *(x.grad for x in leaves), *(p.grad for p in module.parameters())])
    for a, b in zip(*results):
        close(a, b, 1e-10)


@pytest.mark.parametrize("lens", [None, torch.tensor([2, 6]), torch.tensor([[1, 3, 5], [2, 4, 7]])])
def test_the_notes_attention_modules(lens):
    queries, keys, values = draw(2, 3, 4), draw(2, 7, 5), draw(2, 7, 6)
    ours, theirs = ht.AdditiveAttention(5, 4, 8, 0.1).double().eval(), plain.AdditiveAttention(5, 4, 8, 0.1).double().eval()
    same(ours, theirs, (queries, keys, values), lens)
    close(ours.attention_weights, theirs.attention_weights)
    same(ht.DotProductAttention(0.5).eval(), plain.DotProductAttention(0.5).eval(), (queries, draw(2, 7, 4), values), lens)
    sizes = dict(key_size=5, query_size=4, value_size=6, num_hiddens=12, num_heads=3, dropout=0.5, bias=True)
    ours, theirs = ht.MultiHeadAttention(**sizes).double().eval(), plain.MultiHeadAttention(**sizes).double().eval()
    same(ours, theirs, (queries, keys, values), lens)
    close(ours.attention_weights.flatten(0, 1), theirs.attention.attention_weights)


def test_the_notes_classes_in_heed_itself():
    x, y = torch.rand(20, dtype=torch.float64), torch.rand(20, dtype=torch.float64)
    keys, values = (heed.nn.leave_one_out(t) for t in (x, y))
    theirs, ours = plain.NWKernelRegression().double(), heed.nn.NWKernelRegression(dtype=heed.f64)
    ours.load_state({"w": theirs.w.detach()})
    out = theirs(x, *(torch.from_numpy(t.numpy()) for t in (keys, values)))
    out.sum().backward()
    mine = ours(x, keys, values)
    heed.sum(mine).backward()
    np.testing.assert_allclose(mine.numpy(), out.detach().numpy(), rtol=1e-12)
    np.testing.assert_allclose(ours.w.grad.numpy(), theirs.w.grad.numpy(), rtol=1e-10)
    np.testing.assert_allclose(ours.attention_weights().numpy(), theirs.attention_weights.detach().numpy(), rtol=1e-10)
    X = torch.zeros(1, 60, 32)
    encoding = heed.nn.PositionalEncoding(num_hiddens=32)
    np.testing.assert_allclose(encoding(X).numpy(), plain.PositionalEncoding(32, 0)(X).numpy(), atol=2e-5)
    sizes = dict(key_size=5, query_size=4, num_hiddens=8)
    theirs, ours = plain.AdditiveAttention(**sizes, dropout=0), heed.nn.AdditiveAttention(**sizes)
    ours.load_state({name: value.detach() for name, value in theirs.state_dict().items()})
    q, k, v = (torch.randn(2, n, d) for n, d in ((3, 4), (7, 5), (7, 6)))
    expected = theirs(q, k, v, torch.tensor([2, 6])).detach().numpy()
    np.testing.assert_allclose(ours(q, k, v, heed.valid_lens([2, 6])).numpy(), expected, atol=1e-6)


MODULES = {
    "dot product": lambda: ht.DotProductAttention(0.1),
    "additive": lambda: ht.AdditiveAttention(4, 4, 8, 0.1),
    "multi-head": lambda: ht.MultiHeadAttention(4, 4, 4, 4, 2, 0.1),
}


@pytest.mark.parametrize("name", MODULES)
def test_modules_keep_no_graph(name):
    module = MODULES[name]()
    x = torch.randn(2, 5, 4, requires_grad=True)
    size = len(pickled(module))
    module(x, x, x, torch.tensor([2, 5])).sum().backward()
    twin = copy.deepcopy(module)
    assert len(pickled(module)) == size  # parameters alone
    loaded = torch.load(io.BytesIO(pickled(module)), weights_only=False)
    for other in (twin, loaded):
        other.eval(), module.eval()
        assert torch.equal(other(x, x, x), module(x, x, x))
    kept = module.attention if name == "multi-head" else module
    assert not any(t.requires_grad for t in kept._last[:2])


def pickled(module):
    file = io.BytesIO()
    torch.save(module, file)
    return file.getvalue()


def test_weights_are_those_of_the_forward():
    module = ht.AdditiveAttention(4, 4, 8).train()
    x = torch.randn(2, 5, 4)
    module(x, x, x)
    before = module.attention_weights
    with torch.no_grad():
        module.W_q.weight.mul_(3)  # as an optimiser does
    assert torch.equal(module.attention_weights, before)
    x.add_(1)
    with pytest.raises(heed.Error, match="changed in place"):
        module.attention_weights


def test_modules_copy_and_drop_only_in_training():
    module = ht.AdditiveAttention(4, 4, 8, dropout=0.5)
    x = torch.randn(2, 5, 4)
    assert not torch.equal(module(x, x, x), module(x, x, x))
    module.eval()
    assert torch.equal(module(x, x, x), copy.deepcopy(module)(x, x, x))
    with pytest.raises(heed.Error, match="nothing was attended to"):
        ht.DotProductAttention().attention_weights


def test_plain_attend_takes_and_gives_torch_tensors_without_a_copy():
    q, k, v = (torch.randn(2, 5, 3, 8).transpose(1, 2) for _ in range(3))
    out, weights, lse = heed.attend(q, k, v, mask=heed.causal(), return_weights=True, return_lse=True)
    assert type(out) is type(weights) is type(lse) is torch.Tensor
    close(out, F.scaled_dot_product_attention(q, k, v, is_causal=True), 1e-5)
    tensor = heed.borrow(q)
    assert tensor.strides == q.stride() and torch.from_dlpack(tensor).data_ptr() == q.data_ptr()
    with pytest.raises(heed.Error, match="attend: keys requires a gradient of PyTorch's"):
        heed.attend(q, k.clone().requires_grad_(), v)
    with pytest.raises(heed.Error, match="found bf16"):
        heed.attend(q.bfloat16(), k, v)
    negated = torch.randn(2, 3, 5, 8, dtype=torch.complex64).conj().imag
    with pytest.raises(heed.Error, match="attend: keys is a negated view of PyTorch's: pass x.resolve_neg()"):
        heed.attend(q, negated, v)
    assert torch.equal(heed.attend(q, negated.resolve_neg(), v), heed.attend(q, negated.clone(), v))


def test_a_hundred_thousand_torch_calls_leak_nothing():
    x = torch.ones(1, 1, 4, 8)
    for _ in range(100):
        heed.attend(x, x, x)
    before, storages = heed.memory_use().current, x.untyped_storage()._use_count() if hasattr(x.untyped_storage(), "_use_count") else 0
    for _ in range(100_000):
        heed.attend(x, x, x)
    assert heed.memory_use().current == before
    if storages:
        assert x.untyped_storage()._use_count() == storages


EXAMPLES = {name: getattr(ht, name) for name in ht.__all__}
EXAMPLES |= {f"d2l.{name}": getattr(d2l, name) for name in d2l.__all__ if name != "plt"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_docstring(name):
    value = EXAMPLES[name]
    assert ">>>" in value.__doc__
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(value), {"heed": heed, "torch": torch, "d2l": d2l}, name, None, None)
    out = []
    assert doctest.DocTestRunner().run(test, out=out.append).failed == 0, "".join(out)


def test_jax_arrays():
    jax = pytest.importorskip("jax")
    x = jax.numpy.arange(24.0).reshape(2, 3, 4) / 10
    out, weights = heed.attend(x, x, x, mask=heed.causal(), return_weights=True)
    assert isinstance(out, jax.Array) and isinstance(weights, jax.Array)
    np.testing.assert_allclose(out, heed.attend(*[np.asarray(x)] * 3, mask=heed.causal()), rtol=1e-6)
    assert not heed.borrow(x).requires_grad
