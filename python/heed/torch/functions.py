# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The notes' functions on PyTorch tensors."""

from __future__ import annotations

from typing import Any

import torch

from heed import Error
from heed.torch.checks import check_tensor, number
from heed.torch.operator import attend
from heed.torch.scores import ScaledDot


def masked_softmax(X: torch.Tensor, valid_lens: torch.Tensor | None = None) -> torch.Tensor:
    """softmax over the last dimension of X (B, Lq, Lk), of which the first valid_lens are looked at: (B,) for all queries of a
    batch, (B, Lq) one by one. A length of 0 gives zeros, where the notes' masks of -1e6 give an even row.

    >>> heed.torch.masked_softmax(torch.zeros(1, 1, 3), torch.tensor([2]))
    tensor([[[0.5000, 0.5000, 0.0000]]])
    """
    check_tensor("masked_softmax: X", X)
    if valid_lens is None:
        return X.softmax(-1)
    check_tensor("masked_softmax: valid_lens", valid_lens)
    if valid_lens.shape not in (X.shape[:1], X.shape[:-1]):
        expected = f"{tuple(X.shape[:1])} or {tuple(X.shape[:-1])}"
        raise Error(f"masked_softmax: valid_lens must have shape {expected}, found {tuple(valid_lens.shape)}")
    lengths = valid_lens.reshape(valid_lens.shape + (1,) * (X.dim() - valid_lens.dim()))
    allowed = torch.arange(X.shape[-1], device=X.device) < lengths
    weights = X.masked_fill(~allowed, -torch.inf).softmax(-1)
    return torch.where(allowed, weights, 0)


def attention(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, dropout: float | torch.nn.Dropout | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Scaled dot-product attention as the notes write it by hand: output and weights, both with gradients. dropout acts on the
    output; the weights given back are those before it.

    >>> x = torch.ones(1, 2, 3)
    >>> out, weights = heed.torch.attention(x, x, x)
    >>> weights
    tensor([[[0.5000, 0.5000],
             [0.5000, 0.5000]]])
    """
    if isinstance(dropout, torch.nn.Dropout):
        p = dropout.p if dropout.training else 0.0
    else:
        p = 0.0 if dropout is None else number("attention: dropout", dropout)
    return attend(query, key, value, dropout=p), weights_of(query, key)


def weights_of(queries: torch.Tensor, keys: torch.Tensor, **options: Any) -> torch.Tensor:
    """What attend weighs its values by, with gradients. Values of 1 and 0 show it."""
    eye = torch.eye(keys.shape[-2], dtype=keys.dtype, device=keys.device).expand(*keys.shape[:-2], -1, -1)
    weights: torch.Tensor = attend(queries, keys, eye, **{"score": ScaledDot(), **options})
    return weights
