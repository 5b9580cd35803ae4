# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""What the notes import as d2l, on heed's kernels: `from heed.torch import d2l` in the place of `from d2l import torch as d2l`.

Names and arguments are the notes'. Masked means skipped, as everywhere in heed: a length of 0 gives zeros.

>>> from heed.torch import d2l
>>> attention = d2l.MultiHeadAttention(100, 100, 100, 100, 5, 0.5)
>>> x = torch.ones((2, 4, 100))
>>> attention.eval()(x, x, x, torch.tensor([3, 2])).shape
torch.Size([2, 4, 100])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

import heed
from heed.torch import modules
from heed.torch.checks import check_tensor
from heed.torch.functions import masked_softmax as masked_softmax
from heed.torch.modules import AdditiveAttention as AdditiveAttention
from heed.torch.modules import DotProductAttention as DotProductAttention
from heed.torch.positions import PositionalEncoding as PositionalEncoding

if TYPE_CHECKING:
    from matplotlib import pyplot as plt  # type: ignore[import-not-found,unused-ignore]

__all__ = [
    "AdditiveAttention",
    "Animator",
    "DotProductAttention",
    "MultiHeadAttention",
    "PositionalEncoding",
    "masked_softmax",
    "plot",
    "plt",
    "sequence_mask",
    "show_heatmaps",
    "transpose_output",
    "transpose_qkv",
]
_PICTURES = ("plt", "plot", "show_heatmaps", "Animator")


def __getattr__(name: str) -> Any:
    """Pictures need Matplotlib, attention does not."""
    if name not in _PICTURES:
        raise AttributeError(f"module 'heed.torch.d2l' has no attribute {name!r}")
    try:
        from heed.torch import d2l_pictures
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise ImportError(f"d2l.{name}: needs matplotlib, which is not installed: pip install matplotlib") from error
    return getattr(d2l_pictures, name)


def sequence_mask(X: torch.Tensor, valid_len: torch.Tensor, value: float = 0) -> torch.Tensor:
    """X (N, L, ...) with everything from position valid_len[n] on replaced by value. X stays as it is.

    >>> d2l.sequence_mask(torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.tensor([1, 2]))
    tensor([[1, 0, 0],
            [4, 5, 0]])
    """
    check_tensor("sequence_mask: X", X)
    check_tensor("sequence_mask: valid_len", valid_len)
    if X.dim() < 2 or valid_len.shape != X.shape[:1]:
        found = f"{tuple(X.shape)} and {tuple(valid_len.shape)}"
        raise heed.Error(f"sequence_mask: X must be (N, L, ...) and valid_len (N,), found {found}")
    beyond = torch.arange(X.shape[1], device=X.device) >= valid_len[:, None]
    return X.masked_fill(beyond.reshape(beyond.shape + (1,) * (X.dim() - 2)), value)


def transpose_qkv(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    """(B, L, num_hiddens) -> (B * num_heads, L, num_hiddens / num_heads): heads folded into the batch.

    >>> d2l.transpose_qkv(torch.ones(2, 3, 8), 4).shape
    torch.Size([8, 3, 2])
    """
    check_tensor("transpose_qkv: X", X)
    return X.unflatten(-1, (num_heads, -1)).transpose(1, 2).flatten(0, 1)


def transpose_output(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    """The way back from transpose_qkv.

    >>> d2l.transpose_output(torch.ones(8, 3, 2), 4).shape
    torch.Size([2, 3, 8])
    """
    check_tensor("transpose_output: X", X)
    return X.unflatten(0, (-1, num_heads)).transpose(1, 2).flatten(2)


class MultiHeadAttention(modules.MultiHeadAttention):
    """heed.torch.MultiHeadAttention with heads folded into the batch on the way, so that attention.attention_weights is
    (B * num_heads, Lq, Lk).

    >>> attention = d2l.MultiHeadAttention(100, 100, 100, 100, 5, 0.5).eval()
    >>> x = torch.ones((2, 4, 100))
    >>> out = attention(x, x, x, torch.tensor([3, 2]))
    >>> attention.attention.attention_weights.shape
    torch.Size([10, 4, 4])
    """

    def forward(
        self, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, valid_lens: torch.Tensor | None = None
    ) -> torch.Tensor:
        if valid_lens is not None:
            valid_lens = torch.repeat_interleave(valid_lens, self.num_heads, dim=0)
        folded = (transpose_qkv(x, self.num_heads) for x in self._project(queries, keys, values))
        out: torch.Tensor = self.W_o(transpose_output(self.attention(*folded, valid_lens), self.num_heads))
        return out
