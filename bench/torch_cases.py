# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The cases as a user of PyTorch would write them. Each function makes its tensors and gives what is timed."""

import torch
import torch.nn.functional as F


def operands(*shape, dtype="float32", gradients=False):
    return [torch.randn(shape, dtype=getattr(torch, dtype), requires_grad=gradients) for _ in range(3)]


def forward(batch, heads, n, d, dtype="float32", causal=False, pairwise=None):
    q, k, v = operands(batch, heads, n, d, dtype=dtype)
    x = torch.rand(n, n) if pairwise else None
    mask = x < 0.9 if pairwise == "mask" else x

    @torch.inference_mode()
    def run():
        F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)

    return run


def backward_of(attend, leaves):
    out = attend(*leaves)
    seed = torch.ones_like(out)

    def run():
        for x in leaves:
            x.grad = None
        out.backward(seed, retain_graph=True)

    return run


def backward(batch, heads, n, d, attend=F.scaled_dot_product_attention):
    return backward_of(attend, operands(batch, heads, n, d, gradients=True))


def decode(query_heads, heads, n, d, biased=False):
    q = torch.randn(1, query_heads, 1, d)
    k, v = torch.randn(1, heads, n, d), torch.randn(1, heads, n, d)
    bias = torch.randn(query_heads, 1, n) if biased else None

    @torch.inference_mode()
    def run():
        F.scaled_dot_product_attention(q, k, v, attn_mask=bias, enable_gqa=query_heads != heads)

    return run


def grouped_attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=q.shape[1] != k.shape[1])


def decode_backward(query_heads, heads, n, d, attend=grouped_attention):
    leaves = [torch.randn(1, *shape, d, requires_grad=True) for shape in ((query_heads, 1), (heads, n), (heads, n))]
    return backward_of(attend, leaves)


class AdditiveAttention(torch.nn.Module):
    """Broadcasts queries against keys: (B, Lq, 1, hidden) + (B, 1, Lk, hidden)."""

    def __init__(self, hidden):
        super().__init__()
        self.W_q = torch.nn.Linear(hidden, hidden, bias=False)
        self.W_k = torch.nn.Linear(hidden, hidden, bias=False)
        self.w_v = torch.nn.Linear(hidden, 1, bias=False)

    def forward(self, queries, keys, values):
        features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        return torch.bmm(torch.softmax(self.w_v(features).squeeze(-1), dim=-1), values)


def additive(batch, n, hidden, with_backward=False):
    attention = AdditiveAttention(hidden)
    inputs = operands(batch, n, hidden, gradients=with_backward)
    seed = torch.ones(batch, n, hidden)

    @torch.inference_mode()
    def run_forward():
        attention(*inputs)

    def run_both():
        for x in [*inputs, *attention.parameters()]:
            x.grad = None
        attention(*inputs).backward(seed)

    return run_both if with_backward else run_forward


def gaussian(n):
    queries, keys, values = torch.rand(n) * 5, torch.rand(n) * 5, torch.randn(n)
    bandwidth = 0.5

    @torch.inference_mode()
    def run():
        scores = -(((queries.unsqueeze(1) - keys) / bandwidth) ** 2) / 2
        torch.softmax(scores, dim=1) @ values

    return run


def multi_head(batch, n, hidden, heads, training=False):
    attention = torch.nn.MultiheadAttention(hidden, heads, bias=False, batch_first=True).train(training)
    x, target, _ = operands(batch, n, hidden)
    sgd = torch.optim.SGD(attention.parameters(), lr=1e-3)

    @torch.inference_mode()
    def forward_only():
        attention(x, x, x, need_weights=False)

    def step():
        sgd.zero_grad()
        F.mse_loss(attention(x, x, x, need_weights=False)[0], target).backward()
        sgd.step()

    return step if training else forward_only


def linear(rows):
    layer, x = torch.nn.Linear(768, 768), torch.randn(rows, 768)

    @torch.inference_mode()
    def run():
        layer(x)

    return run


def leave_one_out(x):
    n = len(x)
    return x.repeat(n, 1)[~torch.eye(n, dtype=torch.bool)].reshape(n, n - 1)


def regression_epoch():
    """The notes' training of Nadaraya-Watson regression."""
    x = torch.rand(50) * 5
    y = 2 * torch.sin(x) + torch.normal(0.0, 0.5, (50,))
    keys, values = leave_one_out(x), leave_one_out(y)
    w = torch.nn.Parameter(torch.rand(1))
    sgd = torch.optim.SGD([w], lr=1e-6)
    loss = torch.nn.MSELoss(reduction="none")

    def run():
        sgd.zero_grad()
        queries = x.repeat_interleave(keys.shape[1]).reshape(-1, keys.shape[1])
        weights = torch.softmax(-(((queries - keys) * w) ** 2) / 2, dim=1)
        prediction = torch.bmm(weights.unsqueeze(1), values.unsqueeze(-1)).reshape(-1)
        (loss(prediction, y) / 2).sum().backward()
        sgd.step()

    return run


def small_call():
    x = torch.randn(1, 4, 8)

    @torch.inference_mode()
    def run():
        F.scaled_dot_product_attention(x, x, x)

    return run


def small_call_in_torch(with_backward=False, attend=F.scaled_dot_product_attention):
    q, k, v = operands(1, 1, 4, 8, gradients=with_backward)
    seed = torch.ones(1, 1, 4, 8)

    def step():
        q.grad = k.grad = v.grad = None
        attend(q, k, v).backward(seed)

    return step if with_backward else lambda: attend(q, k, v)
