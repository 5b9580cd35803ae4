"""Scores whose parameters are PyTorch tensors. Plain Python, so that torch.compile sees through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

import torch


@dataclass(frozen=True)
class ScaledDot:
    """scale * q.k, by default scale = 1/sqrt(D).

    >>> x = torch.ones(2, 4)
    >>> heed.torch.attend(x, x, x, score=heed.torch.ScaledDot(scale=0.5)).shape
    torch.Size([2, 4])
    """

    scale: float | None = None


@dataclass(frozen=True)
class Dot:
    """q.k

    >>> x = torch.ones(2, 4)
    >>> heed.torch.attend(x, x, x, score=heed.torch.Dot()).shape
    torch.Size([2, 4])
    """


@dataclass(frozen=True)
class Gaussian:
    """-1/2 |(q - k) / bandwidth|^2, or by w = 1/bandwidth: a number, or a tensor with one entry or one per feature.

    >>> waists, weights = torch.tensor([[51.0], [56.0], [58.0]]), torch.tensor([[40.0], [43.0], [48.0]])
    >>> heed.torch.attend(torch.tensor([[57.0]]), waists, weights, score=heed.torch.Gaussian(bandwidth=1))
    tensor([[45.5000]])
    """

    bandwidth: float | torch.Tensor | None = None
    w: float | torch.Tensor | None = None


@dataclass(frozen=True)
class Additive:
    """w_v . tanh(W_q q + W_k k); W_q (hidden, Dq), W_k (hidden, Dk), w_v (hidden,) or (1, hidden).

    >>> score = heed.torch.Additive(torch.eye(2), torch.eye(2), torch.ones(2))
    >>> heed.torch.attend(torch.zeros(1, 2), torch.ones(3, 2), torch.eye(3), score=score)
    tensor([[0.3333, 0.3333, 0.3333]])
    """

    W_q: torch.Tensor
    W_k: torch.Tensor
    w_v: torch.Tensor


Score = Union[ScaledDot, Dot, Gaussian, Additive]


def flatten(score: Score, like: torch.Tensor) -> tuple[str, list[torch.Tensor], float | None]:
    """The name, tensors and scale that the operator takes."""
    if isinstance(score, ScaledDot):
        return "scaled_dot", [], score.scale
    if isinstance(score, Dot):
        return "dot", [], None
    if isinstance(score, Additive):
        return "additive", [score.W_q, score.W_k, score.w_v], None
    if not isinstance(score, Gaussian):
        raise TypeError(f"attend: score must be one of heed.torch's scores, found {type(score).__name__}")
    if score.bandwidth is not None and score.w is not None:
        raise ValueError("Gaussian: give the bandwidth or its inverse w, not both")
    width = score.w if score.w is not None else score.bandwidth
    if not isinstance(width, torch.Tensor):
        width = torch.full((), 1.0 if width is None else float(width), dtype=like.dtype)
    return "gaussian" if score.w is None else "gaussian_w", [width], None
