# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed multi-head, self-attention, attention-layer, masked-softmax and bmm against plain numpy. Usage: layers.py HEED"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HEED = sys.argv[1]
rng = np.random.default_rng(7)
B, L, Lk, size, hidden, heads = 2, 5, 7, 6, 8, 4


def heed(*arguments):
    run = subprocess.run([HEED, *map(str, arguments)], capture_output=True)
    assert run.returncode == 0, run.stderr.decode()
    assert run.stderr == b"", run.stderr.decode()


def softmax(scores, allowed=True):
    scores = np.where(allowed, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    p = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = p.sum(-1, keepdims=True)
    return p / np.where(total == 0, 1, total)


def split(x):
    return x.reshape(*x.shape[:-1], heads, -1).swapaxes(-2, -3)


def multi_head(p, q, k, v, allowed=True):
    linear = lambda x, name: x @ p[f"{name}.weight"].T + p.get(f"{name}.bias", 0)
    q, k, v = split(linear(q, "W_q")), split(linear(k, "W_k")), split(linear(v, "W_v"))
    w = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(hidden // heads), allowed)
    return linear((w @ v).swapaxes(-2, -3).reshape(B, -1, hidden), "W_o"), w


def compare(name, folder, expected, weights=None):
    np.testing.assert_allclose(np.load(folder / "out.npy"), expected, atol=1e-12, err_msg=name)
    if weights is not None:
        np.testing.assert_allclose(np.load(folder / "w.npy"), weights, atol=1e-12, err_msg=name)
    print(f"{name}: ok")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    outputs = ["--out", folder / "out.npy", "--weights", folder / "w.npy"]
    x, k = rng.normal(size=(B, L, size)), rng.normal(size=(B, Lk, size))
    np.savez(folder / "x.npz", x=x, k=k)
    inputs = ["--queries", folder / "x.npz:x", "--keys", folder / "x.npz:k", "--values", folder / "x.npz:k"]

    p = {f"W_{n}.weight": rng.normal(size=(hidden, hidden if n == "o" else size)) for n in "qkvo"}
    biases = {f"W_{n}.bias": rng.normal(size=hidden) for n in "qkvo"}
    for what, params in (("without biases", p), ("with biases", p | biases)):
        np.savez(folder / "p.npz", **params)
        heed("multi-head", "--params", folder / "p.npz", "--heads", heads, *inputs, *outputs)
        compare(f"multi-head {what}", folder, *multi_head(params, x, k, k))
        lengths = np.array([3, 0]).reshape(B, 1, 1, 1)
        heed("multi-head", "--params", folder / "p.npz", "--heads", heads, "--valid-lens", "3,0", *inputs, *outputs)
        compare(f"multi-head {what}, lengths", folder, *multi_head(params, x, k, k, np.arange(Lk) < lengths))
        rows = ";".join(",".join(str((2 * b + i) % (Lk + 1)) for i in range(L)) for b in range(B))
        lens = np.array([[(2 * b + i) % (Lk + 1) for i in range(L)] for b in range(B)])[:, None, :, None]
        heed("multi-head", "--params", folder / "p.npz", "--heads", heads, "--valid-lens", rows, *inputs, *outputs)
        compare(f"multi-head {what}, lengths row by row", folder, *multi_head(params, x, k, k, np.arange(Lk) < lens))
        heed("self-attention", folder / "x.npz:x", "--params", folder / "p.npz", "--heads", heads, "--causal", "top-left",
             *outputs)
        compare(f"self-attention {what}", folder, *multi_head(params, x, x, x, np.tri(L, dtype=bool)))

    # As PyTorch saves it.
    square = {f"W_{n}.weight": rng.normal(size=(hidden, hidden)) for n in "qkvo"} | biases
    wide = rng.normal(size=(B, L, hidden))
    np.save(folder / "wide.npy", wide)
    stacked = {"in_proj_weight": np.concatenate([square[f"W_{n}.weight"] for n in "qkv"]),
               "in_proj_bias": np.concatenate([square[f"W_{n}.bias"] for n in "qkv"]),
               "out_proj.weight": square["W_o.weight"], "out_proj.bias": square["W_o.bias"]}
    np.savez(folder / "torch.npz", **stacked)
    heed("self-attention", folder / "wide.npy", "--params", folder / "torch.npz", "--heads", heads, *outputs)
    compare("PyTorch's names", folder, *multi_head(square, wide, wide, wide))

    layers = [(rng.normal(size=(hidden, size if i < 3 else hidden)), rng.normal(size=hidden)) for i in range(4)]
    np.savez(folder / "l.npz", **{f"linears.{i}.weight": W for i, (W, b) in enumerate(layers)},
             **{f"linears.{i}.bias": b for i, (W, b) in enumerate(layers)})
    q1, k1, v1 = (z @ W.T + b for z, (W, b) in zip((x, k, k), layers))
    w = softmax(q1 @ k1.swapaxes(-1, -2) / np.sqrt(hidden))
    heed("attention-layer", "--params", folder / "l.npz", *inputs, *outputs)
    compare("attention layer", folder, (w @ v1) @ layers[3][0].T + layers[3][1], w)

    scores = rng.normal(size=(B, L, Lk))
    np.save(folder / "s.npy", scores)
    heed("masked-softmax", folder / "s.npy", "--valid-lens", "4,0", "--out", folder / "out.npy")
    compare("masked softmax", folder, softmax(scores, np.arange(Lk) < np.array([4, 0]).reshape(B, 1, 1)))
    mask = rng.random((L, Lk)) < 0.6
    np.save(folder / "m.npy", mask)
    heed("masked-softmax", folder / "s.npy", "--mask", folder / "m.npy", "--out", folder / "out.npy")
    compare("masked softmax of a mask", folder, softmax(scores, mask))

    heed("bmm", folder / "s.npy", folder / "x.npz:k", "--out", folder / "out.npy")
    compare("bmm", folder, scores @ k)
