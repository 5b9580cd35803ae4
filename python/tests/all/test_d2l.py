# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.torch.d2l: the notes' classes, arguments and inputs, against plain PyTorch in f64."""

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt

import heed
import heed.torch as ht
import plain
from counting import counted
from heed.torch import d2l

matplotlib.use("Agg")
torch.manual_seed(0)

LENS = torch.tensor([2, 6])
QUERIES, KEYS = torch.normal(0, 1, (2, 1, 20)), torch.ones((2, 10, 2))
VALUES = torch.arange(40, dtype=torch.float32).reshape(1, 10, 4).repeat(2, 1, 1)
X = torch.ones((2, 4, 100))
CLASSES = {
    "additive": (d2l.AdditiveAttention, plain.AdditiveAttention, dict(key_size=2, query_size=20, num_hiddens=8, dropout=0.1), (QUERIES, KEYS, VALUES, LENS)),
    "dot product": (d2l.DotProductAttention, plain.DotProductAttention, dict(dropout=0.5), (torch.normal(0, 1, (2, 1, 2)), KEYS, VALUES, LENS)),
    "multi-head": (d2l.MultiHeadAttention, plain.MultiHeadAttention, (100, 100, 100, 100, 5, 0.5), (X, X, X, torch.tensor([3, 2]))),
    "multi-head, no lengths": (d2l.MultiHeadAttention, plain.MultiHeadAttention, (100, 100, 100, 100, 5, 0.5, True), (X, X, X, None)),
    "lengths of queries": (d2l.DotProductAttention, plain.DotProductAttention, (0.0,), (torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 6), torch.tensor([[1, 2, 3], [4, 5, 1]]))),
}  # fmt: skip


def made(cls, arguments):
    return cls(**arguments) if isinstance(arguments, dict) else cls(*arguments)


def results(module, inputs, dtype):
    leaves = [x.detach().to(dtype).requires_grad_() for x in inputs[:-1]]
    out = module(*leaves, inputs[-1])
    out.sin().sum().backward()
    return [x.detach().double() for x in (out, *(x.grad for x in leaves), *(p.grad for p in module.parameters()))]


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_of_the_notes(name, monkeypatch):
    cls, other, arguments, inputs = CLASSES[name]
    ours, theirs = made(cls, arguments).eval(), made(other, arguments).double().eval()
    theirs.load_state_dict(ours.state_dict())
    count = counted(monkeypatch)
    found = results(ours, inputs, torch.float32)
    assert count() == (1, 1)
    exact = results(theirs, inputs, torch.float64)
    torch.testing.assert_close(found[0], exact[0], atol=1e-6, rtol=1e-6)
    scale = max(1.0, *(x.abs().max().item() for x in exact))  # some gradients are 0, where large terms cancel
    for a, b in zip(found, exact, strict=True):
        torch.testing.assert_close(a, b, atol=1e-6 * scale, rtol=0)
    shown = ours.attention if name.startswith("multi") else ours
    expected = theirs.attention if name.startswith("multi") else theirs
    torch.testing.assert_close(shown.attention_weights.double(), expected.attention_weights.detach(), atol=1e-6, rtol=1e-6)


def test_training_drops(monkeypatch):
    attention = d2l.MultiHeadAttention(8, 8, 8, 8, 2, 0.5)
    x = torch.randn(2, 4, 8)
    assert not torch.equal(attention(x, x, x, None), attention(x, x, x, None))
    attention.eval()
    assert torch.equal(attention(x, x, x, None), attention(x, x, x, None))


def test_positions():
    ours, theirs = d2l.PositionalEncoding(32, 0), plain.PositionalEncoding(32, 0)
    positions = torch.arange(1000, dtype=torch.float64)[:, None] / 10000 ** (torch.arange(0, 32, 2, dtype=torch.float64) / 32)
    exact = torch.stack([positions.sin(), positions.cos()], -1).flatten(1)
    torch.testing.assert_close(ours.P[0].double(), exact, atol=1e-7, rtol=0)
    x = torch.zeros((1, 60, 32))
    torch.testing.assert_close(ours(x), theirs(x), atol=2e-5, rtol=0)
    assert not ours.state_dict() and ours(x.double()).dtype == torch.float64
    learned = ht.LearnedPositionalEncoding(32, 0.0, 60)
    torch.testing.assert_close(learned(x)[0], learned.P)
    for wrong in (torch.zeros(1, 61, 32), torch.zeros(1, 3, 31), torch.zeros(32)):
        with pytest.raises(heed.Error, match="LearnedPositionalEncoding: x must"):
            learned(wrong)


def test_masks_are_those_of_the_notes():
    x = torch.rand(2, 2, 4)
    for lens in (None, torch.tensor([2, 3]), torch.tensor([[1, 3], [2, 4]])):
        torch.testing.assert_close(d2l.masked_softmax(x, lens), plain.masked_softmax(x, lens))
        a, b = x.clone().requires_grad_(), x.clone().requires_grad_()
        d2l.masked_softmax(a, lens).sin().sum().backward()
        plain.masked_softmax(b, lens).sin().sum().backward()
        torch.testing.assert_close(a.grad, b.grad)
    empty = d2l.masked_softmax(x, torch.tensor([0, 4]))
    assert not empty[0].any() and torch.allclose(empty[1].sum(-1), torch.ones(2))
    masked = d2l.sequence_mask(x.reshape(-1, 4), torch.tensor([1, 2, 3, 4]), value=-1e6)
    assert (masked == -1e6).sum() == 6 and torch.equal(masked[3], x[1, 1]) and not (x == -1e6).any()
    with pytest.raises(heed.Error, match="masked_softmax: valid_lens must have shape"):
        d2l.masked_softmax(x, torch.tensor([1, 2, 3]))


def test_heads_fold_into_the_batch():
    x = torch.randn(2, 3, 8)
    folded = d2l.transpose_qkv(x, 4)
    torch.testing.assert_close(folded, x.reshape(2, 3, 4, 2).permute(0, 2, 1, 3).reshape(8, 3, 2))
    torch.testing.assert_close(d2l.transpose_output(folded, 4), x)


def test_regression_and_self_attention_by_their_formulas(monkeypatch):
    theirs, ours = plain.NWKernelRegression(), ht.NWKernelRegression()
    ours.load_state_dict(theirs.state_dict())
    x, keys, values = torch.rand(7), torch.rand(7, 6), torch.rand(7, 6)
    count = counted(monkeypatch)
    torch.testing.assert_close(ours(x, keys, values), theirs(x, keys, values))
    assert count() == (1, 0)
    torch.testing.assert_close(ours.attention_weights, theirs.attention_weights.detach())
    torch.testing.assert_close(ours(x, keys[0], values[0]), theirs(x, keys[0].expand(7, 6), values[0].expand(7, 6)))
    net = ht.SelfAttention(8, 2)
    x, lens = torch.randn(2, 3, 8), torch.tensor([1, 3])
    torch.testing.assert_close(net(x, lens), ht.MultiHeadAttention.forward(net, x, x, x, lens))
    layer = ht.AttentionLayer(5, 8)
    q, k, v = (linear(x) for linear in layer.linears[:3])
    weights = (q @ k.mT / 5**0.5).softmax(-1)
    torch.testing.assert_close(layer(x, x, x), layer.linears[3](weights @ v))
    torch.testing.assert_close(layer.attn, weights.detach())


def test_the_regression_of_the_notes_trains():
    x = torch.sort(torch.rand(50) * 5).values
    y = 2 * x.sin() + x**0.8 + torch.normal(0.0, 0.5, (50,))
    keep = ~torch.eye(50, dtype=torch.bool)
    keys, values = x.repeat(50, 1)[keep].reshape(50, -1), y.repeat(50, 1)[keep].reshape(50, -1)
    net = d2l_net = ht.NWKernelRegression()
    trainer = torch.optim.SGD(net.parameters(), lr=0.5)
    losses = []
    for _ in range(5):
        trainer.zero_grad()
        loss = ((d2l_net(x, keys, values) - y) ** 2 / 2).sum()
        loss.backward()
        trainer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]


def test_pictures():
    plt.close("all")
    d2l.show_heatmaps(torch.rand(2, 3, 4, 5, requires_grad=True), "Keys", "Queries", ["a", "b", "c"], (7, 4), "magma")
    figure = plt.gcf()
    images = [axes.images[0] for axes in figure.axes if axes.images]
    assert len(images) == 6 and images[0].get_cmap().name == "magma" and tuple(figure.get_size_inches()) == (7, 4)
    d2l.plot([1, 2, 3], [[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]], "x", "y", ["a", "b"], xlim=[0, 4], yscale="log")
    axes = plt.gca()
    assert len(axes.lines) == 2 and axes.get_xlim() == (0, 4) and axes.get_yscale() == "log"
    d2l.plot(torch.arange(3.0))
    np.testing.assert_array_equal(plt.gca().lines[0].get_ydata(), [0, 1, 2])
    animator = d2l.Animator("epoch", "loss", legend=["train", "test"], xlim=[1, 5])
    for epoch in range(5):
        animator.add(epoch + 1, (1 / (epoch + 1), None if epoch % 2 else 0.5))
    first, second = animator.axes[0].lines
    assert len(first.get_xdata()) == 5 and len(second.get_xdata()) == 3


def test_attention_needs_no_matplotlib():
    program = "import sys; sys.modules['matplotlib'] = None\nfrom heed.torch import d2l\nd2l.MultiHeadAttention(4, 4, 4, 4, 2, 0.0)\nd2l.plot([1])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "ImportError: d2l.plot: needs matplotlib, which is not installed: pip install matplotlib" in run.stderr
