"""What peers.py compares with: each case of heed_bench as a user of PyTorch would write it."""

from dataclasses import dataclass
from typing import Callable

import torch
import torch.nn.functional as F


@dataclass
class Peer:
    case: str  # the name heed_bench knows
    shape: str
    prepare: Callable[[], Callable[[], None]]  # makes the tensors and gives what is timed


def operands(batch, heads, n, d, dtype=torch.float32, gradients=False):
    return [torch.randn(batch, heads, n, d, dtype=dtype, requires_grad=gradients) for _ in range(3)]


def forward(batch, heads, n, d, dtype=torch.float32, **options):
    def prepare():
        q, k, v = operands(batch, heads, n, d, dtype)

        @torch.inference_mode()
        def run():
            F.scaled_dot_product_attention(q, k, v, **options)

        return run

    return prepare


def backward(batch, heads, n, d):
    def prepare():
        leaves = operands(batch, heads, n, d, gradients=True)
        out = F.scaled_dot_product_attention(*leaves)
        seed = torch.ones_like(out)

        def run():
            for x in leaves:
                x.grad = None
            out.backward(seed, retain_graph=True)

        return run

    return prepare


def decode(query_heads, heads, n, d):
    def prepare():
        q = torch.randn(1, query_heads, 1, d)
        k, v = torch.randn(1, heads, n, d), torch.randn(1, heads, n, d)

        @torch.inference_mode()
        def run():
            F.scaled_dot_product_attention(q, k, v, enable_gqa=True)

        return run

    return prepare


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


def additive(batch, n, hidden, with_backward):
    def prepare():
        attention = AdditiveAttention(hidden)
        inputs = [torch.randn(batch, n, hidden, requires_grad=with_backward) for _ in range(3)]
        seed = torch.ones(batch, n, hidden)

        @torch.inference_mode()
        def run_forward():
            attention(*inputs)

        def run_both():
            for x in [*inputs, *attention.parameters()]:
                x.grad = None
            attention(*inputs).backward(seed)

        return run_both if with_backward else run_forward

    return prepare


def gaussian(n):
    def prepare():
        queries, keys, values = torch.rand(n) * 5, torch.rand(n) * 5, torch.randn(n)
        bandwidth = 0.5

        @torch.inference_mode()
        def run():
            scores = -(((queries.unsqueeze(1) - keys) / bandwidth) ** 2) / 2
            torch.softmax(scores, dim=1) @ values

        return run

    return prepare


def multi_head(training):
    batch, n, hidden, heads = 8, 256, 256, 4

    def prepare():
        attention = torch.nn.MultiheadAttention(hidden, heads, bias=False, batch_first=True)
        x, target = torch.randn(batch, n, hidden), torch.randn(batch, n, hidden)
        sgd = torch.optim.SGD(attention.parameters(), lr=1e-3)

        @torch.inference_mode()
        def forward_only():
            attention(x, x, x, need_weights=False)

        def step():
            sgd.zero_grad()
            F.mse_loss(attention(x, x, x, need_weights=False)[0], target).backward()
            sgd.step()

        attention.train(training)
        return step if training else forward_only

    return prepare


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


def peers(quick):
    rows = [
        Peer(f"forward_d{d}_n{n}", f"b{b} h8 n{n} d{d}", forward(b, 8, n, d))
        for b, n in ((4, 128), (1, 512), (1, 2048))
        for d in (64, 128)
    ]
    rows += [Peer(f"forward_d{d}_n512", f"b1 h8 n512 d{d}", forward(1, 8, 512, d)) for d in (32, 40, 80, 96, 256)]
    rows += [
        Peer(f"causal_d64_n{n}", f"b1 h8 n{n} d64 causal", forward(1, 8, n, 64, is_causal=True)) for n in (512, 2048)
    ]
    rows += [
        Peer("forward_f64_d64_n512", "b1 h8 n512 d64 f64", forward(1, 8, 512, 64, torch.float64)),
        Peer("forward_one_head_n4096", "b1 h1 n4096 d64", forward(1, 1, 4096, 64)),
    ]
    rows += [Peer(f"backward_d64_n{n}", f"b1 h8 n{n} d64", backward(1, 8, n, 64)) for n in (512, 2048)]
    points = 8192 if quick else 30000
    return rows + [
        Peer("backward_one_head_n4096", "b1 h1 n4096 d64", backward(1, 1, 4096, 64)),
        Peer("decode_d128_n32768", "b1 h32/8 q1 n32768 d128", decode(32, 8, 32768, 128)),
        Peer("additive_h64_n512", "b4 n512 hidden64", additive(4, 512, 64, with_backward=False)),
        Peer("additive_h64_n512_with_backward", "b4 n512 hidden64", additive(4, 512, 64, with_backward=True)),
        Peer(f"gaussian_n{points}", f"n{points} one feature", gaussian(points)),
        Peer("multi_head", "b8 n256 hidden256 heads4", multi_head(training=False)),
        Peer("multi_head_training_step", "b8 n256 hidden256 heads4", multi_head(training=True)),
        Peer("regression_epoch", "50 x 49 pairs", regression_epoch),
        Peer("small_call", "(1, 4, 8)", small_call),
    ]
