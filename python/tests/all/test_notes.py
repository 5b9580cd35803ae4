# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The notes' own programs, read from the folder $HEED_NOTES, with one import changed."""

import contextlib
import io
import os
import re
from pathlib import Path

import matplotlib
import pytest
import torch
from matplotlib import pyplot as plt
from torch import nn

import heed.torch as ht
from counting import counted

matplotlib.use("Agg")

FOLDER = os.environ.get("HEED_NOTES", "")
if not (FOLDER and Path(FOLDER).is_dir()):
    pytest.skip("HEED_NOTES names no folder with the notes", allow_module_level=True)

# What the fragments of notes 000 and 003 take for granted.
PRELUDE = """
import math
import torch
from torch import nn
from heed.torch import d2l
from heed.torch.d2l import masked_softmax, transpose_qkv, transpose_output
"""


def blocks(number):
    (path,) = Path(FOLDER).glob(f"{number:03d}_*")
    found = re.findall(r"^```\w*\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [block for block in found if not block.startswith("http")]


def run(number, prelude=""):
    """The names that a note's blocks leave behind, what they print, and the pictures they draw."""
    text = "".join(blocks(number)).replace("from d2l import torch as d2l", "from heed.torch import d2l")
    plt.close("all")
    names, out = {}, io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(prelude + text, f"note {number}", "exec"), names)
    return names, out.getvalue(), [plt.figure(n) for n in plt.get_fignums()]


@pytest.fixture(autouse=True)
def keep_pictures(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    torch.manual_seed(0)


def test_note_2():
    names, out, figures = run(2)
    assert out.count("test_mask_softmax") == 3
    assert len(figures) == 2
    weights = names["attention"].attention_weights
    for figure in figures:
        (image,) = figure.axes[0].images
        assert image.get_array().shape == (2, 10) and figure.axes[0].get_xlabel() == "Keys"
    torch.testing.assert_close(torch.tensor(figures[1].axes[0].images[0].get_array()), weights[:, 0].detach())


def test_note_4(monkeypatch):
    count = counted(monkeypatch)
    names, out, figures = run(4)
    assert out.startswith("MultiHeadAttention(\n  (attention): DotProductAttention(\n    (dropout): Dropout(p=0.5, inplace=False)\n")
    assert "torch.Size([2, 4, 100])" in out and "5 in binary is 101" in out
    assert count() == (1, 0)
    lines, heatmap = figures
    assert len(lines.axes[0].lines) == 4 and [t.get_text() for t in lines.axes[0].get_legend().get_texts()] == [f"Col {n}" for n in range(6, 10)]
    assert heatmap.axes[0].images[0].get_array().shape == (60, 32) and heatmap.axes[0].images[0].get_cmap().name == "Blues"
    ours = ht.PositionalEncoding(32).P[:, :60]
    torch.testing.assert_close(names["P"][0], ours, atol=2e-5, rtol=0)


def same(theirs, ours, inputs, atol=1e-6):
    """Outputs and gradients of two modules."""
    results = []
    for module in (theirs, ours):
        leaves = [x.detach().clone().requires_grad_(x.is_floating_point()) for x in inputs]
        out = module(*leaves)
        out.sin().sum().backward()
        results.append([out, *(x.grad for x in leaves if x.grad is not None)])
    for a, b in zip(*results, strict=True):
        torch.testing.assert_close(a, b, atol=atol, rtol=1e-5)


def test_note_0(monkeypatch):
    names, _, _ = run(0, PRELUDE)
    x, keys = torch.rand(7), torch.rand(7, 6)
    theirs, ours = names["NWKernelRegression"](), ht.NWKernelRegression()
    ours.load_state_dict(theirs.state_dict())
    same(theirs, ours, (x, keys, torch.rand(7, 6)))
    lens = torch.tensor([2, 6])
    q, k, v = torch.randn(2, 3, 20), torch.randn(2, 10, 2), torch.randn(2, 10, 4)
    theirs, ours = names["AdditiveAttention"](2, 20, 8, 0.1).eval(), ht.AdditiveAttention(2, 20, 8, 0.1).eval()
    ours.load_state_dict(theirs.state_dict())
    same(theirs, ours, (q, k, v, lens))
    count = counted(monkeypatch)
    theirs, ours = names["MultiHeadAttention"](6, 6, 6, 8, 2, 0.5).eval(), ht.d2l.MultiHeadAttention(6, 6, 6, 8, 2, 0.5).eval()
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(2, 4, 6)
    same(theirs, ours, (x, x, x, torch.tensor([3, 2])))
    assert count() == (2, 2)  # the note's class attends by d2l.DotProductAttention, which is heed's
    same(names["PositionalEncoding"](8, 0).eval(), ht.PositionalEncoding(8).eval(), (torch.randn(2, 50, 8),), 1e-5)


def test_note_3():
    names, _, _ = run(3, PRELUDE)
    x = torch.randn(2, 5, 6)
    for a, b in zip(names["attention"](x, x, x), ht.attention(x, x, x), strict=True):
        torch.testing.assert_close(a, b)
    layer = names["Attention_layer"](6, 6)  # has no super().__init__()
    with pytest.raises(AttributeError):
        layer(x, x, x)
    assert ht.AttentionLayer(6, 6)(x, x, x).shape == (2, 5, 6)
    theirs = names["Multi_head_attention_layer"](2, 8, 6)
    ours = ht.MultiHeadAttention(6, 6, 6, 8, 2, bias=True)
    theirs.linears = nn.ModuleList(theirs.linears)  # or they are not part of its state
    ours.load_state_dict(theirs.state_dict())
    same(theirs, ours, (x, x, x))
