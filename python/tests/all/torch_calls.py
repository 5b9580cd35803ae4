# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Calls of the operator that the tests of heed.torch share."""

import torch

import heed.torch as ht


def draw(*shape, dtype=torch.float64, grad=True):
    return torch.randn(*shape, dtype=dtype, requires_grad=grad)


def close(a, b, atol=1e-12):
    torch.testing.assert_close(a, b, atol=atol, rtol=atol)


CALLS = {
    "plain": lambda: (draw(2, 4, 5, 8), draw(2, 4, 6, 8), draw(2, 4, 6, 3), None, [], [], [], "scaled_dot", [], None, None, 0.0, None),
    "grouped, heads inside": lambda: (
        draw(2, 5, 4, 8).detach().transpose(1, 2).requires_grad_(), draw(2, 2, 6, 8), draw(2, 2, 6, 8), draw(5, 6),
        [torch.tensor([3, 6])], [torch.rand(5, 6) < 0.8], [2, 0, 1, -1, 3, 0], "dot", [], None, 2.0, 0.0, None,
    ),
    "additive, dropout": lambda: (
        draw(2, 3, 4), draw(2, 5, 6), draw(2, 5, 2), None, [], [], [], "additive",
        [draw(7, 4), draw(7, 6), draw(1, 7)], None, None, 0.3, torch.tensor(5),
    ),
    "gaussian": lambda: (draw(3, 2), draw(5, 2), draw(5, 1, grad=False), None, [], [], [], "gaussian_w", [draw(2)], None, None, 0.0, None),
}  # fmt: skip


def by_attend(*call):
    """What the operator does to its arguments, by heed.torch.attend."""
    queries, keys, values, bias, lengths, allowed, windows, name, parameters, scale, softcap, dropout, _ = call
    scores = {"scaled_dot": lambda: ht.ScaledDot(scale), "dot": ht.Dot, "additive": lambda: ht.Additive(*parameters)}
    score = scores[name]() if name in scores else ht.Gaussian(w=parameters[0])
    mask = ht.Mask(lengths, allowed, windows)
    torch.manual_seed(5)
    return ht.attend(
        queries, keys, values, score=score, mask=mask, bias=bias, softcap=softcap, dropout=dropout, return_lse=True
    )


def leaves_of(call):
    return [x for x in (*call[:4], *call[8]) if isinstance(x, torch.Tensor) and x.requires_grad]
