# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed inside PyTorch: an operator with PyTorch's own autograd and compiler, and modules made of it.

>>> import torch, heed.torch
>>> q = torch.zeros(1, 2, requires_grad=True)
>>> out = heed.torch.attend(q, torch.ones(3, 2), torch.eye(3), mask=heed.torch.causal(align="bottom_right"))
>>> out.sum().backward()
>>> q.grad.shape
torch.Size([1, 2])
"""

from heed.torch.functions import attention, masked_softmax
from heed.torch.masks import Mask, causal, mask, valid_lens, window
from heed.torch.modules import (
    AdditiveAttention,
    AttentionLayer,
    DotProductAttention,
    MultiHeadAttention,
    NWKernelRegression,
    SelfAttention,
)
from heed.torch.multihead import MultiheadAttention
from heed.torch.operator import attend
from heed.torch.positions import LearnedPositionalEncoding, PositionalEncoding
from heed.torch.replace import register_with_transformers, replace_attention
from heed.torch.scores import Additive, Dot, Gaussian, ScaledDot
from heed.torch.sdpa import sdpa

__all__ = [
    "Additive",
    "AdditiveAttention",
    "AttentionLayer",
    "Dot",
    "DotProductAttention",
    "Gaussian",
    "LearnedPositionalEncoding",
    "Mask",
    "MultiHeadAttention",
    "MultiheadAttention",
    "NWKernelRegression",
    "PositionalEncoding",
    "ScaledDot",
    "SelfAttention",
    "attend",
    "attention",
    "causal",
    "mask",
    "masked_softmax",
    "register_with_transformers",
    "replace_attention",
    "sdpa",
    "valid_lens",
    "window",
]
