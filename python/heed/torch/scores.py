# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Scores whose parameters are PyTorch tensors. Plain Python, so that torch.compile sees through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

import torch
from torch.overrides import is_tensor_like

from heed.torch.checks import check_tensor, number, refuse


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
        return "scaled_dot", [], None if score.scale is None else number("attend: ScaledDot.scale", score.scale)
    if isinstance(score, Dot):
        return "dot", [], None
    if isinstance(score, Additive):
        check_tensor("attend: Additive.W_q", score.W_q)
        check_tensor("attend: Additive.W_k", score.W_k)
        check_tensor("attend: Additive.w_v", score.w_v)
        return "additive", [score.W_q, score.W_k, score.w_v], None
    if not isinstance(score, Gaussian):
        refuse("attend: score", "one of heed.torch's scores", score)
    if score.bandwidth is not None and score.w is not None:
        raise ValueError("Gaussian: give the bandwidth or its inverse w, not both")
    if score.w is not None:
        return "gaussian_w", [_width("w", score.w, like)], None
    return "gaussian", [_width("bandwidth", 1.0 if score.bandwidth is None else score.bandwidth, like)], None


def _width(name: str, value: float | torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    if is_tensor_like(value):
        return value  # type: ignore[return-value]
    given = number(f"attend: Gaussian.{name}", value, "a number or a torch.Tensor")
    return like.new_full((), given, dtype=torch.float64)  # whatever the queries are: an error says what was given
