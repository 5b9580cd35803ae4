# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Every score, mask and bias against plain PyTorch, forward and gradients, over generated cases."""

import random

import pytest
import torch

import heed.torch as ht
from plain import attend

SCORES = ("scaled_dot", "dot", "gaussian", "gaussian_w", "additive")
CASES = 300  # for each of five scores and two types


class Case:
    """A problem drawn at random; everything that takes part in it is a tensor that may want a gradient."""

    def __init__(self, kind, dtype, seed):
        self.kind, self.dtype = kind, dtype
        self.pick = random.Random(f"{kind} {dtype} {seed}")
        self.generator = torch.Generator().manual_seed(self.pick.getrandbits(60))
        rank = self.pick.choice((2, 3, 4))
        sizes = (1, 2, 3, 5, 8, 17, 33)
        self.lq, self.lk, d, dv = (self.pick.choice(sizes) for _ in range(4))
        if self.pick.random() < 0.3:
            self.lk = self.lq
        batch, kv_heads, group = (self.pick.choice((1, 2, 3)) for _ in range(3))
        lead = {2: ((), ()), 3: ((batch,),) * 2, 4: ((batch, kv_heads * group), (batch, kv_heads))}[rank]
        dk = d if kind != "additive" else self.pick.choice(sizes)
        self.shape = (*lead[0], self.lq, self.lk)
        self.operands = [self.draw(*lead[0], self.lq, d), self.draw(*lead[1], self.lk, dk), self.draw(*lead[1], self.lk, dv)]
        self.parameters = self.draw_parameters(d, dk)
        self.scale = self.pick.choice((None, None, 0.3, -1.5, 0.0)) if kind == "scaled_dot" else None
        self.softcap = self.pick.choice((None, None, 1.5))
        self.bias = self.draw(*self.broadcast()) if self.pick.random() < 0.4 else None
        self.mask, self.allowed = self.draw_mask(batch if rank > 2 else None)

    def draw(self, *shape):
        x = torch.randn(*shape, generator=self.generator, dtype=self.dtype)
        if len(shape) > 1 and self.pick.random() < 0.3:
            x = x.transpose(-1, -2).contiguous().transpose(-1, -2)
        if len(shape) == 4 and self.pick.random() < 0.3:
            x = x.transpose(1, 2).contiguous().transpose(1, 2)
        return x.requires_grad_(self.pick.random() < 0.9)

    def broadcast(self):
        shape = list(self.shape)[self.pick.randrange(len(self.shape) - 1) :]
        return [n if self.pick.random() < 0.7 else 1 for n in shape]

    def draw_parameters(self, d, dk):
        if self.kind == "additive":
            hidden = self.pick.choice((1, 4, 19))
            return [self.draw(hidden, d), self.draw(hidden, dk), self.draw(*self.pick.choice(((hidden,), (1, hidden))))]
        if self.kind.startswith("gaussian"):
            width = torch.rand(self.pick.choice(((), (1,), (d,))), generator=self.generator, dtype=self.dtype) + 0.5
            return [width.requires_grad_(self.pick.random() < 0.9)]
        return []

    def draw_mask(self, batch):
        mask, allowed = ht.Mask(), None

        def both(more, where):
            nonlocal mask, allowed
            mask = mask & more
            where = where.expand(self.shape)
            allowed = where if allowed is None else allowed & where

        if batch is not None and self.pick.random() < 0.4:
            shape = self.pick.choice(((batch,), (batch, self.lq)))
            lens = torch.randint(0, self.lk + 1, shape, generator=self.generator)
            spread = lens.reshape(batch, *([1] * (len(self.shape) - 3)), -1, 1)
            both(ht.valid_lens(lens), torch.arange(self.lk) < spread)
        if self.pick.random() < 0.4:
            left, right = self.pick.choice(((None, 0), (2, 0), (1, 1), (None, 3), (0, None)))
            corner = self.pick.choice(("top_left", "bottom_right"))
            i = torch.arange(self.lq)[:, None] + (self.lk - self.lq if corner == "bottom_right" else 0)
            j = torch.arange(self.lk)
            near = (j >= i - left if left is not None else j >= 0) & (j <= i + right if right is not None else j >= 0)
            both(ht.window(left, right, corner), near.expand(self.lq, self.lk))
        if self.pick.random() < 0.3:
            where = torch.rand(self.broadcast(), generator=self.generator) < 0.6
            both(ht.mask(where), where)
        return mask, allowed

    def score(self):
        if self.kind == "gaussian_w":
            return ht.Gaussian(w=self.parameters[0])
        makers = {"scaled_dot": lambda: ht.ScaledDot(self.scale), "dot": ht.Dot, "gaussian": ht.Gaussian, "additive": ht.Additive}
        return makers[self.kind](*self.parameters)

    def leaves(self):
        everything = [*self.operands, *self.parameters, *([] if self.bias is None else [self.bias])]
        return [x for x in everything if x.requires_grad]


def error(a, b):
    """Largest difference relative to the size of what is compared; infinities must agree."""
    assert a.shape == b.shape and torch.equal(a.isfinite(), b.isfinite())
    finite = b.isfinite()
    return ((a - b)[finite].abs().max() / (1 + b[finite].abs().max())).item() if finite.any() else 0.0


@pytest.mark.parametrize("dtype,limit", [(torch.float64, 1e-12), (torch.float32, 2e-4)], ids=["f64", "f32"])
@pytest.mark.parametrize("kind", SCORES)
def test_case(kind, dtype, limit):
    for seed in range(CASES):
        c = Case(kind, dtype, seed)
        out, lse = ht.attend(
            *c.operands, score=c.score(), mask=c.mask, bias=c.bias, softcap=c.softcap, return_lse=True
        )
        expected, _, expected_lse = attend(
            *c.operands, c.kind, c.parameters, c.scale, c.allowed, c.bias, c.softcap
        )
        assert error(out, expected) < limit, seed
        assert error(lse, expected_lse) < limit, seed
        leaves = c.leaves()
        if not leaves:
            continue
        weight = torch.randn(out.shape, generator=c.generator, dtype=dtype)
        lse_weight = torch.randn(lse.shape, generator=c.generator, dtype=dtype)

        def loss(o, s):
            return (o * weight).sum() + (torch.where(s.isfinite(), s, 0) * lse_weight).sum()

        found = torch.autograd.grad(loss(out, lse), leaves, allow_unused=True)
        wanted = torch.autograd.grad(loss(expected, expected_lse), leaves, allow_unused=True)
        for x, y in zip(found, wanted):
            x, y = (torch.zeros(()) if t is None else t for t in (x, y))
            assert error(x.expand(y.shape), y) < limit, seed
