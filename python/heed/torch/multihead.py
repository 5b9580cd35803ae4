# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""torch.nn.MultiheadAttention by heed."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

import heed
from heed.torch.checks import check_tensor, dtype_name
from heed.torch.functions import weights_of
from heed.torch.masks import Mask, mask
from heed.torch.operator import attend


class MultiheadAttention(nn.MultiheadAttention):
    """torch.nn.MultiheadAttention, argument for argument and parameter for parameter. A fully masked row gives 0,
    and the weights given back are those before dropout.

    >>> attention = heed.torch.MultiheadAttention(8, 2, batch_first=True)
    >>> x = torch.ones(2, 4, 8)
    >>> out, weights = attention(x, x, x, key_padding_mask=torch.tensor([[False] * 4, [False, False, True, True]]))
    >>> out.shape, weights.shape
    (torch.Size([2, 4, 8]), torch.Size([2, 4, 4]))
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(
            embed_dim, num_heads, dropout, bias, add_bias_kv, add_zero_attn, kdim, vdim, batch_first, device, dtype
        )
        switch_off_fast_path(self)

    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        key_padding_mask: torch.Tensor | None = None,
        need_weights: bool = True,
        attn_mask: torch.Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        if is_causal and attn_mask is None:
            raise heed.Error("MultiheadAttention: is_causal is a hint on attn_mask, which must be given too")
        batched = self._check(query, key, value)
        if not batched:
            query, key, value = (x.unsqueeze(0) for x in (query, key, value))
            key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
        elif not self.batch_first:
            same = key is query, value is key
            query = query.transpose(0, 1)
            key = query if same[0] else key.transpose(0, 1)
            value = key if same[1] else value.transpose(0, 1)
        q, k, v = self._project(query, key, value)
        if self.bias_k is not None and self.bias_v is not None:
            k, v = (torch.cat([x, b.expand(len(x), -1, -1)], 1) for x, b in ((k, self.bias_k), (v, self.bias_v)))
        if self.add_zero_attn:
            k, v = (F.pad(x, (0, 0, 0, 1)) for x in (k, v))
        allowed, bias = self._masks(q, k, key, key_padding_mask, attn_mask)
        heads = [x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for x in (q, k, v)]
        out = attend(*heads, mask=allowed, bias=bias, dropout=self.dropout if self.training else 0.0)
        out = self.out_proj(out.transpose(1, 2).flatten(2))
        weights = None
        if need_weights:
            weights = weights_of(heads[0], heads[1], mask=allowed, bias=bias)
            weights = weights.mean(1) if average_attn_weights else weights
        if not batched:
            return out.squeeze(0), None if weights is None else weights.squeeze(0)
        return (out if self.batch_first else out.transpose(0, 1)), weights

    def _check(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> bool:
        """Whether there is a batch dimension."""
        for name, x, width in (("query", query, self.embed_dim), ("key", key, self.kdim), ("value", value, self.vdim)):
            check_tensor(f"MultiheadAttention: {name}", x)
            if x.dim() not in (2, 3) or x.dim() != query.dim() or x.shape[-1] != width:
                lead = "B, L, " if self.batch_first else "L, B, "
                raise heed.Error(
                    f"MultiheadAttention: {name} must have shape ({lead}{width}) or, as all three, (L, {width}), "
                    f"found {tuple(x.shape)}"
                )
        if key.shape[:-1] != value.shape[:-1]:
            found = f"{tuple(key.shape)} and {tuple(value.shape)}"
            raise heed.Error(f"MultiheadAttention: key and value must be of one length and batch, found {found}")
        return query.dim() == 3

    def _project(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> tuple[torch.Tensor, ...]:
        bias = self.in_proj_bias
        if self.in_proj_weight is not None and query is key and key is value:
            return F.linear(query, self.in_proj_weight, bias).chunk(3, -1)
        if self.in_proj_weight is not None:
            weights = self.in_proj_weight.chunk(3)
        else:
            weights = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        biases = (None, None, None) if bias is None else bias.chunk(3)
        return tuple(F.linear(x, W, b) for x, W, b in zip((query, key, value), weights, biases))

    def _masks(
        self,
        q: torch.Tensor,
        k: torch.Tensor,
        key: torch.Tensor,
        key_padding_mask: torch.Tensor | None,
        attn_mask: torch.Tensor | None,
    ) -> tuple[Mask, torch.Tensor | None]:
        """Both masks for the scores (B, H, Lq, Lk). PyTorch's True means to leave out; keys added here are never left out."""
        batch, queries, keys = len(q), q.shape[1], key.shape[1]
        found: list[torch.Tensor] = []
        if key_padding_mask is not None:
            _check_mask("key_padding_mask", key_padding_mask, [(batch, keys)])
            found.append(key_padding_mask[:, None, None, :])
        if attn_mask is not None:
            _check_mask("attn_mask", attn_mask, [(queries, keys), (batch * self.num_heads, queries, keys)])
            found.append(attn_mask if attn_mask.dim() == 2 else attn_mask.unflatten(0, (batch, self.num_heads)))
        allowed, bias = Mask(), None
        for one in found:
            one = F.pad(one, (0, k.shape[1] - keys))
            if one.dtype == torch.bool:
                allowed = allowed & mask(~one)
            else:
                bias = one.to(q.dtype) if bias is None else bias + one.to(q.dtype)
        return allowed, bias


def switch_off_fast_path(module: nn.MultiheadAttention) -> None:
    """nn.TransformerEncoderLayer takes the parameters of what it believes to be packed, and does not call it."""
    module._qkv_same_embed_dim = False


def _check_mask(name: str, given: torch.Tensor, shapes: list[tuple[int, ...]]) -> None:
    check_tensor(f"MultiheadAttention: {name}", given)
    if tuple(given.shape) not in shapes:
        expected = " or ".join(map(str, shapes))
        raise heed.Error(f"MultiheadAttention: {name} must have shape {expected}, found {tuple(given.shape)}")
    if given.dtype != torch.bool and not given.is_floating_point():
        found = dtype_name(given.dtype)
        raise heed.Error(f"MultiheadAttention: {name} must be boolean or of floating-point numbers, found {found}")
