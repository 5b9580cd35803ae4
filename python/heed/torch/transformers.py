# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Attention as Hugging Face's registry calls it."""

from __future__ import annotations

from typing import Any

import torch

from heed import Error
from heed.torch.functions import weights_of
from heed.torch.masks import Mask, causal, mask
from heed.torch.operator import attend
from heed.torch.scores import ScaledDot


def attention_forward(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    is_causal: bool | None = None,
    softcap: float | None = None,
    position_bias: torch.Tensor | None = None,
    **options: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """query (B, H, Lq, D), key and value (B, Hkv, Lk, D) -> (B, Lq, H, D), and weights where they are asked for."""
    if options.get("s_aux") is not None:
        raise Error("heed.torch: attention sinks (s_aux) are not supported")
    if options.get("cache") is not None:
        raise Error("heed.torch: paged caches are not supported")
    length = query.shape[2]
    wants_causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
    chosen, bias = Mask(), position_bias
    if attention_mask is None and length > 1 and wants_causal:
        chosen = causal(align="top_left")
    elif attention_mask is not None:
        attention_mask = attention_mask[..., : key.shape[2]]
        if attention_mask.dtype == torch.bool:
            chosen = mask(attention_mask)
        else:
            bias = attention_mask if bias is None else bias + attention_mask
    how = {"score": ScaledDot(scaling), "mask": chosen, "bias": bias, "softcap": softcap}
    out = attend(query, key, value, dropout=dropout, **how)
    weights = weights_of(query, key, **how) if options.get("output_attentions") else None
    return out.transpose(1, 2).contiguous(), weights
