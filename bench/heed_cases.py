"""What peers.py --python compares: each case of heed_bench as a user of heed's Python package would write it."""

import numpy as np
import torch

import heed
import heed.torch


def operands(*shape, dtype=np.float32):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape).astype(dtype) for _ in range(3)]


def forward(batch, heads, n, d, dtype=np.float32, **options):
    q, k, v = operands(batch, heads, n, d, dtype=dtype)
    return lambda: heed.attend(q, k, v, **options)


def backward(heads, n, d):
    leaves = [torch.from_numpy(x).requires_grad_() for x in operands(1, heads, n, d)]
    out = heed.torch.attend(*leaves)
    seed = torch.ones_like(out)

    def run():
        for x in leaves:
            x.grad = None
        out.backward(seed, retain_graph=True)

    return run


def decode(query_heads, heads, n, d):
    q, k, v = operands(1, query_heads, 1, d)[0], *operands(1, heads, n, d)[1:]
    return lambda: heed.attend(q, k, v)


def additive(batch, n, hidden, with_backward):
    attention = heed.nn.AdditiveAttention(key_size=hidden, query_size=hidden, num_hiddens=hidden)
    inputs = [heed.tensor(x).requires_grad_(with_backward) for x in operands(batch, n, hidden)]
    seed = heed.ones((batch, n, hidden))

    def run():
        if not with_backward:
            with heed.no_grad():
                attention(*inputs)
            return
        for x in inputs:
            x.grad = None
        attention.zero_grad()
        attention(*inputs).backward(seed)

    return run


def gaussian(n):
    queries, keys, values = (x * 5 for x in operands(n, 1))
    return lambda: heed.attend(queries, keys, values, score=heed.Gaussian(bandwidth=0.5))


def multi_head(training):
    batch, n, hidden, heads = 8, 256, 256, 4
    attention = heed.nn.SelfAttention(hidden=hidden, heads=heads)
    x, target, _ = (heed.tensor(t) for t in operands(batch, n, hidden))
    sgd = heed.optim.SGD(attention.parameters(), lr=1e-3)

    def run():
        if not training:
            with heed.no_grad():
                attention(x)
            return
        sgd.zero_grad()
        heed.mse_loss(attention(x), target).backward()
        sgd.step()

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


def cases():
    """Name to what is timed; made when first asked for."""
    found = {f"forward_d{d}_n{n}": lambda b=b, n=n, d=d: forward(b, 8, n, d)
             for b, n in ((4, 128), (1, 512), (1, 2048)) for d in (64, 128)}  # fmt: skip
    found |= {f"forward_d{d}_n512": lambda d=d: forward(1, 8, 512, d) for d in (32, 40, 80, 96, 256)}
    found |= {f"causal_d64_n{n}": lambda n=n: forward(1, 8, n, 64, mask=heed.causal()) for n in (512, 2048)}
    found |= {f"backward_d64_n{n}": lambda n=n: backward(8, n, 64) for n in (512, 2048)}
    found |= {f"gaussian_n{n}": lambda n=n: gaussian(n) for n in (8192, 30000)}
    return found | {
        "forward_f64_d64_n512": lambda: forward(1, 8, 512, 64, np.float64),
        "forward_one_head_n4096": lambda: forward(1, 1, 4096, 64),
        "backward_one_head_n4096": lambda: backward(1, 4096, 64),
        "decode_d128_n32768": lambda: decode(32, 8, 32768, 128),
        "additive_h64_n512": lambda: additive(4, 512, 64, with_backward=False),
        "additive_h64_n512_with_backward": lambda: additive(4, 512, 64, with_backward=True),
        "multi_head": lambda: multi_head(training=False),
        "multi_head_training_step": lambda: multi_head(training=True),
        "regression_epoch": regression_epoch,
        "small_call": lambda: forward(1, 1, 4, 8),
    }
