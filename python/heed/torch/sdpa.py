# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""PyTorch's scaled_dot_product_attention by heed."""

from __future__ import annotations

import torch

from heed import Error
from heed.torch.checks import check_tensor, dtype_name, number
from heed.torch.masks import Mask, causal, mask
from heed.torch.operator import attend
from heed.torch.scores import ScaledDot


def sdpa(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """torch.nn.functional.scaled_dot_product_attention, argument for argument.

    As there, is_causal starts from the top left corner. A fully masked row gives 0.

    >>> x = torch.ones(1, 2, 3, 4)
    >>> heed.torch.sdpa(x, x, x, is_causal=True).shape
    torch.Size([1, 2, 3, 4])
    """
    check_tensor("sdpa: query", query)
    check_tensor("sdpa: key", key)
    check_tensor("sdpa: value", value)
    dropout_p = number("sdpa: dropout_p", dropout_p)
    if not 0 <= dropout_p <= 1:
        raise Error(f"sdpa: dropout_p must lie in 0..1, found {dropout_p}")
    scale = None if scale is None else number("sdpa: scale", scale)
    if attn_mask is not None:
        check_tensor("sdpa: attn_mask", attn_mask)
        if attn_mask.dtype not in (torch.bool, query.dtype):
            expected = dtype_name(query.dtype)
            raise Error(f"sdpa: attn_mask must be boolean or {expected} like query, found {dtype_name(attn_mask.dtype)}")
    if attn_mask is not None and is_causal:
        raise ValueError("sdpa: attn_mask and is_causal exclude each other")
    queries, keys, values = query, key, value
    batch = query.shape[:-2]
    if query.dim() > 4 or not (key.shape[:-2] == batch == value.shape[:-2]):
        queries, keys, values, batch = _headed(query, key, value, enable_gqa)
    bias: torch.Tensor | None = None
    chosen = causal(align="top_left") if is_causal else Mask()
    if attn_mask is not None:
        folded = _folded(attn_mask, batch, queries, keys)
        if attn_mask.dtype == torch.bool:
            chosen = mask(folded)
        else:
            bias = folded
    out = attend(
        queries, keys, values, score=ScaledDot(scale), mask=chosen, bias=bias, dropout=dropout_p
    )
    return out if out.dim() == len(batch) + 2 else out.reshape(*batch, *out.shape[-2:])  # type: ignore[no-any-return]


def _headed(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, enable_gqa: bool
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Size]:
    """The operands as (B, H, L, D), and the dimensions that the result's B and H stand for. Broadcasting copies nothing."""
    own = 1 if enable_gqa else 0  # trailing batch dims that may differ: the heads, in groups
    if min(query.dim(), key.dim(), value.dim()) < 2 + own:
        shapes = ", ".join(str(tuple(x.shape)) for x in (query, key, value))
        heads = "H, " if enable_gqa else ""
        raise Error(f"sdpa: query, key and value must be (..., {heads}L, D), found {shapes}")
    leads = [x.shape[: x.dim() - 2 - own] for x in (query, key, value)]
    try:
        lead = torch.broadcast_shapes(*leads)
    except RuntimeError:
        shapes = " and ".join(str(tuple(x)) for x in leads)
        raise Error(f"sdpa: query, key and value must have batch dims that broadcast, found {shapes}") from None
    operands = [x.expand(*lead, *x.shape[x.dim() - 2 - own :]) for x in (query, key, value)]
    batch = operands[0].shape[:-2]
    # Heads are attend's second dimension; a lone leading one it takes for the batch.
    fold = len(batch) > 2 or enable_gqa and len(batch) == 1
    return *(x.reshape(-1, *x.shape[-3:]) if fold else x for x in operands), batch  # type: ignore[return-value]


def _folded(attn_mask: torch.Tensor, batch: torch.Size, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """A mask that broadcasts to (*batch, L, S) as one for the folded scores."""
    scores = (*batch, queries.shape[-2], keys.shape[-2])
    try:
        whole = attn_mask.expand(scores)
    except RuntimeError:
        shape = tuple(attn_mask.shape)
        raise Error(f"sdpa: attn_mask of shape {shape} does not broadcast to the scores {scores}") from None
    fold = attn_mask.dim() > 2 and len(batch) > 2
    return whole.reshape(-1, *whole.shape[-3:]) if fold else attn_mask
