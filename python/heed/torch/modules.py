# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The notes' modules in PyTorch, with their names and parameters, so that their state dicts load; by heed inside."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

import heed
from heed.torch.checks import check_tensor
from heed.torch.masks import Mask, valid_lens
from heed.torch.operator import attend
from heed.torch.scores import Additive, Gaussian, ScaledDot, Score


def _mask(lengths: torch.Tensor | None) -> Mask:
    return Mask() if lengths is None else valid_lens(lengths)


def _version(x: torch.Tensor) -> int | None:
    """How often x was changed in place; nothing where PyTorch does not count."""
    return None if torch.compiler.is_compiling() or x.is_inference() else x._version


def _kept(score: Score) -> Score:
    """Optimisers change parameters in place, so they are copied; they are small."""
    if isinstance(score, Additive):
        return Additive(*(x.detach().clone() for x in (score.W_q, score.W_k, score.w_v)))
    if isinstance(score, Gaussian) and isinstance(score.w, torch.Tensor):
        return Gaussian(w=score.w.detach().clone())
    return score


class _Attention(nn.Module):
    """Keeps what the weights of the last forward are made of, off the graph. Copies and files do without."""

    _last: tuple[Any, ...] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_last"}

    def _attend(
        self, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, score: Score, mask: Mask, dropout: float
    ) -> torch.Tensor:
        out: torch.Tensor = attend(queries, keys, values, score=score, mask=mask, dropout=dropout if self.training else 0.0)
        versions = _version(queries), _version(keys)
        self._last = queries.detach(), keys.detach(), _kept(score), mask, versions
        return out

    @property
    def attention_weights(self) -> torch.Tensor:
        """The weights of the last forward, before dropout, computed now."""
        if self._last is None:
            raise heed.Error("attention_weights: nothing was attended to yet")
        queries, keys, score, mask, versions = self._last
        if versions != (_version(queries), _version(keys)):
            raise heed.Error("attention_weights: queries or keys were changed in place since the forward")
        with torch.no_grad():
            # Values of 1 and 0 show the weights.
            eye = torch.eye(keys.shape[-2], dtype=keys.dtype).expand(*keys.shape[:-2], -1, -1)
            weights: torch.Tensor = attend(queries, keys, eye, score=score, mask=mask)
        return weights


class DotProductAttention(_Attention):
    """softmax(Q K^T / sqrt(D)) V over the first valid_lens keys: (B,) or (B, Lq).

    >>> x = torch.ones(2, 3, 4)
    >>> heed.torch.DotProductAttention(dropout=0.5).eval()(x, x, x, torch.tensor([2, 3])).shape
    torch.Size([2, 3, 4])
    """

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, valid_lens: torch.Tensor | None = None
    ) -> torch.Tensor:
        return self._attend(queries, keys, values, ScaledDot(), _mask(valid_lens), self.dropout.p)


class AdditiveAttention(_Attention):
    """w_v . tanh(W_q q + W_k k), over the first valid_lens keys; no (B, Lq, Lk, hidden) tensor is ever made.

    >>> attention = heed.torch.AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.1).eval()
    >>> keys, values = torch.ones(2, 10, 2), torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    >>> attention(torch.randn(2, 1, 20), keys, values, torch.tensor([2, 6])).shape
    torch.Size([2, 1, 4])
    >>> attention.attention_weights.shape
    torch.Size([2, 1, 10])
    """

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, valid_lens: torch.Tensor | None = None
    ) -> torch.Tensor:
        score = Additive(self.W_q.weight, self.W_k.weight, self.w_v.weight)
        return self._attend(queries, keys, values, score, _mask(valid_lens), self.dropout.p)


# What note 003 calls the projections of its Multi_head_attention_layer.
_OTHER_NAMES = {"linears.0": "W_q", "linears.1": "W_k", "linears.2": "W_v", "fnn": "W_o"}


class MultiHeadAttention(nn.Module):
    """Several projections of the input attend side by side, over the first valid_lens keys. The notes' arguments; states with
    the names of their Multi_head_attention_layer (linears.0 to linears.2, fnn) load too.

    >>> attention = heed.torch.MultiHeadAttention(100, 100, 100, 100, 5, 0.5).eval()
    >>> x = torch.ones(2, 4, 100)
    >>> attention(x, x, x, torch.tensor([3, 2])).shape
    torch.Size([2, 4, 100])
    >>> attention.attention_weights.shape
    torch.Size([2, 5, 4, 4])
    """

    def __init__(
        self,
        key_size: int,
        query_size: int,
        value_size: int,
        num_hiddens: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = False,
    ) -> None:
        super().__init__()
        if num_heads < 1 or num_hiddens % num_heads != 0:
            raise heed.Error(
                f"MultiHeadAttention: num_hiddens must be a multiple of num_heads, found {num_hiddens} and {num_heads}"
            )
        self.num_heads = num_heads
        self.attention = DotProductAttention(dropout)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=bias)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=bias)
        self.W_v = nn.Linear(value_size, num_hiddens, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.register_load_state_dict_pre_hook(_rename)

    def forward(
        self, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, valid_lens: torch.Tensor | None = None
    ) -> torch.Tensor:
        heads = self.attention(*(self._split(x) for x in self._project(queries, keys, values)), valid_lens)
        out: torch.Tensor = self.W_o(heads.transpose(1, 2).flatten(2))
        return out

    def _project(self, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> list[torch.Tensor]:
        inputs = {"queries": (queries, self.W_q), "keys": (keys, self.W_k), "values": (values, self.W_v)}
        for name, (x, W) in inputs.items():
            check_tensor(f"MultiHeadAttention: {name}", x)
            if x.dim() != 3 or x.shape[-1] != W.in_features:
                expected = f"(B, L, {W.in_features})"
                raise heed.Error(f"MultiHeadAttention: {name} must have shape {expected}, found {tuple(x.shape)}")
        return [W(x) for x, W in inputs.values()]

    def _split(self, x: torch.Tensor) -> torch.Tensor:
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    @property
    def attention_weights(self) -> torch.Tensor:
        """The weights of the last forward, (B, H, Lq, Lk), before dropout, computed now."""
        return self.attention.attention_weights


def _rename(module: nn.Module, state: dict[str, Any], prefix: str, *_: Any) -> None:
    for name in list(state):
        for other, own in _OTHER_NAMES.items():
            if name.startswith(f"{prefix}{other}."):
                state[f"{prefix}{own}.{name.removeprefix(f'{prefix}{other}.')}"] = state.pop(name)


class SelfAttention(MultiHeadAttention):
    """MultiHeadAttention of a sequence with itself.

    >>> heed.torch.SelfAttention(100, 5)(torch.ones(2, 4, 100), torch.tensor([3, 2])).shape
    torch.Size([2, 4, 100])
    """

    def __init__(self, num_hiddens: int, num_heads: int, dropout: float = 0.0, bias: bool = False) -> None:
        super().__init__(num_hiddens, num_hiddens, num_hiddens, num_hiddens, num_heads, dropout, bias)

    def forward(self, x: torch.Tensor, valid_lens: torch.Tensor | None = None) -> torch.Tensor:  # type: ignore[override]
        return super().forward(x, x, x, valid_lens)


class AttentionLayer(_Attention):
    """One head with its four linear layers, the notes' Attention_layer: three projections d_input -> d_k, and the output's.

    >>> x = torch.ones(2, 3, 4)
    >>> heed.torch.AttentionLayer(5, 4)(x, x, x).shape
    torch.Size([2, 3, 5])
    """

    def __init__(self, d_k: int, d_input: int) -> None:
        super().__init__()
        self.linears = nn.ModuleList([*(nn.Linear(d_input, d_k) for _ in range(3)), nn.Linear(d_k, d_k)])

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, valid_lens: torch.Tensor | None = None
    ) -> torch.Tensor:
        projected = (linear(x) for linear, x in zip(self.linears, (query, key, value)))
        out: torch.Tensor = self.linears[3](self._attend(*projected, ScaledDot(), _mask(valid_lens), 0.0))
        return out

    @property
    def attn(self) -> torch.Tensor:
        """attention_weights, by the notes' name."""
        return self.attention_weights


class NWKernelRegression(_Attention):
    """Nadaraya-Watson regression with a learnable width, the notes' class: queries (n,), keys and values (n, m) or (m,) -> (n,).
    heed.KernelRegression is a fit to data, heed.regression.NadarayaWatson the same as an estimator of scikit-learn's.

    >>> x = torch.rand(5)
    >>> heed.torch.NWKernelRegression()(x, x, x).shape
    torch.Size([5])
    """

    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.rand(1))

    def forward(self, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        for name, x in {"queries": queries, "keys": keys, "values": values}.items():
            check_tensor(f"NWKernelRegression: {name}", x)
        n, m = queries.numel(), keys.shape[-1]
        rows = max(keys.dim(), values.dim()) == 2  # each query has keys or values of its own
        lead = (n, 1, 1) if rows else (n, 1)
        keys, values = ((x.expand(n, m) if rows else x).unsqueeze(-1) for x in (keys, values))
        return self._attend(queries.reshape(lead), keys, values, Gaussian(w=self.w), Mask(), 0.0).reshape(-1)

    @property
    def attention_weights(self) -> torch.Tensor:
        """The weights of the last forward, (n, m), computed now."""
        weights = super().attention_weights
        return weights.reshape(-1, weights.shape[-1])
