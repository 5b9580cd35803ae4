# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Positions that are added to a sequence."""

from __future__ import annotations

import torch
from torch import nn

import heed
from heed.torch.checks import check_tensor


def _check(name: str, x: torch.Tensor, width: int, max_len: int) -> None:
    check_tensor(f"{name}: x", x)
    if x.dim() not in (2, 3) or x.shape[-1] != width:
        raise heed.Error(f"{name}: x must have shape (B, L, {width}) or (L, {width}), found {tuple(x.shape)}")
    if x.shape[-2] > max_len:
        raise heed.Error(f"{name}: x must be at most max_len = {max_len} long, found {x.shape[-2]}")


class PositionalEncoding(nn.Module):
    """dropout(x + P[:, :L]) with fixed positions: sines and cosines of falling frequency. P is (1, max_len, num_hiddens).

    >>> heed.torch.PositionalEncoding(2)(torch.zeros(1, 1, 2))
    tensor([[[0., 1.]]])
    """

    def __init__(self, num_hiddens: int, dropout: float = 0.0, max_len: int = 1000) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        # No buffer, as in the notes: nothing of it belongs into a state.
        self.P = torch.from_numpy(heed.nn.sinusoidal_encoding(max_len, num_hiddens).numpy()).unsqueeze(0)

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        _check("PositionalEncoding", X, self.P.shape[2], self.P.shape[1])
        P = self.P[:, : X.shape[-2]].to(X.device, X.dtype)
        out: torch.Tensor = self.dropout(X + (P if X.dim() == 3 else P[0]))
        return out


class LearnedPositionalEncoding(nn.Module):
    """dropout(x + P[:L]) with learned positions, (max_len, num_hiddens), which start normal with standard deviation 0.02.

    >>> heed.torch.LearnedPositionalEncoding(2)(torch.zeros(1, 1, 2)).shape
    torch.Size([1, 1, 2])
    """

    def __init__(self, num_hiddens: int, dropout: float = 0.0, max_len: int = 1000) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.P = nn.Parameter(torch.empty(max_len, num_hiddens).normal_(std=0.02))

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        _check("LearnedPositionalEncoding", X, self.P.shape[1], self.P.shape[0])
        out: torch.Tensor = self.dropout(X + self.P[: X.shape[-2]])
        return out
