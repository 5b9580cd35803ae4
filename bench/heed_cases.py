# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The cases as a user of heed's Python package would write them. Each function makes its arrays and gives what is timed."""

import numpy as np
import torch_cases

import heed
import heed.torch


def operands(*shape, dtype="float32"):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape).astype(dtype) for _ in range(3)]


def forward(batch, heads, n, d, dtype="float32", causal=False, pairwise=None):
    q, k, v = operands(batch, heads, n, d, dtype=dtype)
    options = {"mask": heed.causal()} if causal else {}
    if pairwise:
        x = np.random.default_rng(1).random((n, n), dtype="float32")
        options = {"mask": heed.mask(x < 0.9)} if pairwise == "mask" else {"bias": x}
    return lambda: heed.attend(q, k, v, **options)


def backward(batch, heads, n, d):
    return torch_cases.backward(batch, heads, n, d, attend=heed.torch.attend)


def decode(query_heads, heads, n, d, biased=False):
    q, k, v = operands(1, query_heads, 1, d)[0], *operands(1, heads, n, d)[1:]
    options = {"bias": operands(query_heads, 1, n)[0]} if biased else {}
    return lambda: heed.attend(q, k, v, **options)


def decode_backward(query_heads, heads, n, d):
    return torch_cases.decode_backward(query_heads, heads, n, d, attend=heed.torch.attend)


def additive(batch, n, hidden, with_backward=False):
    attention = heed.nn.AdditiveAttention(key_size=hidden, query_size=hidden, num_hiddens=hidden)
    inputs = [heed.tensor(x).requires_grad_(with_backward) for x in operands(batch, n, hidden)]
    seed = heed.ones((batch, n, hidden))

    def run_forward():
        with heed.no_grad():
            attention(*inputs)

    def run_both():
        for x in inputs:
            x.grad = None
        attention.zero_grad()
        attention(*inputs).backward(seed)

    return run_both if with_backward else run_forward


def gaussian(n):
    rng = np.random.default_rng(0)
    queries, keys = (5 * rng.random((n, 1), dtype="float32") for _ in range(2))
    values = rng.standard_normal((n, 1), dtype="float32")
    return lambda: heed.attend(queries, keys, values, score=heed.Gaussian(bandwidth=0.5))


def multi_head(batch, n, hidden, heads, training=False):
    attention = heed.nn.SelfAttention(hidden=hidden, heads=heads)
    x, target, _ = (heed.tensor(t) for t in operands(batch, n, hidden))
    sgd = heed.optim.SGD(attention.parameters(), lr=1e-3)

    def forward_only():
        with heed.no_grad():
            attention(x)

    def step():
        sgd.zero_grad()
        heed.mse_loss(attention(x), target).backward()
        sgd.step()

    return step if training else forward_only


def linear(rows):
    layer, x = heed.nn.Linear(in_features=768, out_features=768), heed.tensor(operands(rows, 768)[0])

    def run():
        with heed.no_grad():
            layer(x)

    return run


def regression_epoch():
    x = heed.rand((50,)) * 5
    y = 2 * heed.sin(x) + heed.normal((50,), stddev=0.5)
    keys, values = heed.nn.leave_one_out(x), heed.nn.leave_one_out(y)
    net = heed.nn.NWKernelRegression()
    sgd = heed.optim.SGD(net.parameters(), lr=1e-6)

    def run():
        sgd.zero_grad()
        heed.sum(heed.l2_loss(net(x, keys, values), y)).backward()
        sgd.step()

    return run


def small_call():
    x = operands(1, 4, 8)[0]
    return lambda: heed.attend(x, x, x)


def small_call_in_torch(with_backward=False):
    return torch_cases.small_call_in_torch(with_backward, attend=heed.torch.attend)
