"""heed inside PyTorch: an operator with PyTorch's own autograd and compiler, and modules made of it.

>>> import torch, heed.torch
>>> q = torch.zeros(1, 2, requires_grad=True)
>>> out = heed.torch.attend(q, torch.ones(3, 2), torch.eye(3), mask=heed.torch.causal(align="bottom_right"))
>>> out.sum().backward()
>>> q.grad.shape
torch.Size([1, 2])
"""

from heed.torch.masks import Mask, causal, mask, valid_lens, window
from heed.torch.modules import AdditiveAttention, DotProductAttention, MultiHeadAttention
from heed.torch.operator import attend
from heed.torch.scores import Additive, Dot, Gaussian, ScaledDot
from heed.torch.sdpa import sdpa

__all__ = [
    "Additive",
    "AdditiveAttention",
    "Dot",
    "DotProductAttention",
    "Gaussian",
    "Mask",
    "MultiHeadAttention",
    "ScaledDot",
    "attend",
    "causal",
    "mask",
    "sdpa",
    "valid_lens",
    "window",
]
