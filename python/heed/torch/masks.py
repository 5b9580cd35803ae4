# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Masks made of PyTorch tensors, composed by &. Plain Python, so that torch.compile sees through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

import heed
from heed._text import shortened, shown
from heed.torch.checks import check_tensor, refuse, whole

Align = Literal["top_left", "bottom_right"]
CORNERS = {None: -1, "top_left": 0, "bottom_right": 1}


def check_mask(where: str, value: Any) -> None:
    if not isinstance(value, Mask):
        makers = "heed.torch.causal(), valid_lens, window, or mask(tensor) for a boolean tensor"
        refuse(where, f"a heed.torch.Mask ({makers})", value)


@dataclass(frozen=True)
class Mask:
    """Which (query, key) pairs take part; Mask() lets everything through.

    >>> both = heed.torch.valid_lens([2]) & heed.torch.causal()
    >>> x = torch.zeros(1, 3, 1)
    >>> heed.torch.attend(x, x, torch.eye(3)[None], mask=both)[0, 2]
    tensor([0.5000, 0.5000, 0.0000])
    """

    lengths: list[torch.Tensor] = field(default_factory=list)
    allowed: list[torch.Tensor] = field(default_factory=list)
    windows: list[int] = field(default_factory=list)

    def __and__(self, other: Mask) -> Mask:
        check_mask("Mask: both sides of &", other)
        return Mask(self.lengths + other.lengths, self.allowed + other.allowed, self.windows + other.windows)

    __rand__ = __and__  # comes to a left side of another type, which is refused


def valid_lens(lengths: torch.Tensor | Sequence[int] | Sequence[Sequence[int]]) -> Mask:
    """The first n keys: (B,) for all queries of a batch, (B, Lq) one by one.

    >>> mask = heed.torch.valid_lens([2, 3])
    """
    if not isinstance(lengths, (torch.Tensor, list, tuple)):
        heed.valid_lens(lengths)  # type: ignore[unreachable,unused-ignore]  # refuses a masked array
    try:
        found = torch.as_tensor(lengths)
        if found.is_floating_point():
            found = torch.as_tensor(lengths, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        if "Overflow" in str(error):
            heed.valid_lens(lengths)  # names the number that is too large
        refuse("valid_lens: lengths", "a torch.Tensor or lists of numbers, all of one length", lengths)
    real = found.is_floating_point()
    if (real or found.dtype == torch.uint64) and _has_entries(found):
        heed.valid_lens(found.detach())  # names one that is not whole
    elif real:
        return Mask(lengths=[found])  # the operator will look at them
    return Mask(lengths=[found.to(torch.int64)])


def _has_entries(x: torch.Tensor) -> bool:
    return type(x) is torch.Tensor and x.is_cpu and not torch.compiler.is_compiling()


def causal(align: Align | None = None) -> Mask:
    """Keys up to the query's own position. With Lq != Lk, say which corner the diagonal starts from.

    >>> mask = heed.torch.causal()
    """
    return window(right=0, align=align)


def window(left: int | None = None, right: int | None = None, align: Align | None = None) -> Mask:
    """Keys near the query's own position: so many before and after it.

    >>> mask = heed.torch.window(left=2, right=0)
    """
    if align not in tuple(CORNERS):
        raise ValueError(f'window: align must be "top_left" or "bottom_right", found {shortened(repr(align))}')
    return Mask(windows=[_reach("left", left), _reach("right", right), CORNERS[align]])


def _reach(name: str, keys: int | None) -> int:
    """As the operator takes it: -1 stands for no limit."""
    if keys is None:
        return -1
    keys = whole(f"window: {name}", keys)
    if keys < 0:
        raise ValueError(f"window: {name} must not be negative, found {shown(keys)}")
    if isinstance(keys, int) and keys >= 2**63:
        raise ValueError(f"window: {name} must be less than 2**63, found {shown(keys)}")
    return keys


def mask(allowed: torch.Tensor) -> Mask:
    """Where a boolean tensor that broadcasts to the scores is true.

    >>> mask = heed.torch.mask(torch.tensor([[True, False]]))
    """
    check_tensor("mask: allowed", allowed)
    return Mask(allowed=[allowed])
