# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed attend against a plain numpy computation. Usage: attend.py HEED"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HEED = sys.argv[1]
rng = np.random.default_rng(4)
B, H, Lq, Lk, D, Dv = 2, 3, 5, 7, 4, 6


def heed(*arguments, stdin=None):
    run = subprocess.run([HEED, "attend", *map(str, arguments)], capture_output=True, input=stdin)
    assert run.returncode == 0, run.stderr.decode()
    assert run.stderr == b"", run.stderr.decode()
    return run.stdout.decode()


def softmax(scores, allowed):
    scores = np.where(allowed, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    p = np.where(allowed, np.exp(scores - np.where(np.isfinite(top), top, 0)), 0)
    total = p.sum(-1, keepdims=True)
    return p / np.where(total == 0, 1, total)


def case(folder, name, flags, scores, allowed=True):
    """One call; the output and the weights are compared."""
    expected = softmax(scores, np.broadcast_to(allowed, scores.shape))
    heed("--queries", folder / "all.npz:q", "--keys", folder / "all.npz:k", "--values", folder / "all.npz:v",
         "--out", folder / "out.npy", "--weights", folder / "w.npy", *flags)
    np.testing.assert_allclose(np.load(folder / "w.npy"), expected, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(np.load(folder / "out.npy"), expected @ v, atol=1e-12, err_msg=name)
    heed("--queries", folder / "all.npz:q", "--keys", folder / "all.npz:k", "--values", folder / "all.npz:v",
         "--weights", folder / "rows.npy", "--rows", "4,0:2", *flags)
    np.testing.assert_allclose(np.load(folder / "rows.npy"), expected[..., [4, 0, 1], :], atol=1e-12, err_msg=name)
    print(f"{name}: ok")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    q, k = rng.normal(size=(B, H, Lq, D)), rng.normal(size=(B, H, Lk, D))
    v = rng.normal(size=(B, H, Lk, Dv))
    np.savez(folder / "all.npz", q=q, k=k, v=v)
    dot = q @ k.swapaxes(-1, -2)
    scaled = dot / np.sqrt(D)
    difference = q[..., :, None, :] - k[..., None, :, :]
    i, j = np.arange(Lq)[:, None], np.arange(Lk)[None, :]

    case(folder, "scaled dot", [], scaled)
    case(folder, "scale", ["--scale", "-2"], -2 * dot)
    case(folder, "dot", ["--score", "dot"], dot)
    case(folder, "gaussian", ["--score", "gaussian", "--bandwidth", "0.7"], -0.5 * (difference**2).sum(-1) / 0.49)
    h = np.array([0.5, 1, 2, np.inf])
    case(folder, "bandwidths", ["--score", "gaussian", "--bandwidth", "0.5,1,2,inf"], -0.5 * ((difference / h) ** 2).sum(-1))
    np.save(folder / "h.npy", h)
    case(folder, "bandwidths of a file", ["--score", "gaussian", "--bandwidth", folder / "h.npy"],
         -0.5 * ((difference / h) ** 2).sum(-1))

    W_q, W_k, w_v = rng.normal(size=(8, D)), rng.normal(size=(8, D)), rng.normal(size=(8,))
    np.savez(folder / "params.npz", W_q=W_q, W_k=W_k, w_v=w_v)
    hidden = np.tanh((q @ W_q.T)[..., :, None, :] + (k @ W_k.T)[..., None, :, :])
    case(folder, "additive", ["--score", "additive", "--params", folder / "params.npz"], hidden @ w_v)

    case(folder, "softcap", ["--softcap", "0.8"], 0.8 * np.tanh(scaled / 0.8))
    bias = rng.normal(size=(H, 1, Lk))
    np.save(folder / "bias.npy", bias)
    case(folder, "bias", ["--bias", folder / "bias.npy"], scaled + bias)
    case(folder, "causal, top left", ["--causal", "top-left"], scaled, j <= i)
    case(folder, "causal, bottom right", ["--causal", "bottom-right"], scaled, j <= i + Lk - Lq)
    case(folder, "window", ["--window", "1,2", "--align", "top-left"], scaled, (j >= i - 1) & (j <= i + 2))
    case(folder, "causal window", ["--window", "1", "--causal", "top-left"], scaled, (j >= i - 1) & (j <= i))
    case(folder, "lengths", ["--valid-lens", "3,0"], scaled, j < np.array([3, 0]).reshape(B, 1, 1, 1))
    lens = rng.integers(0, Lk + 1, (B, Lq))
    np.save(folder / "lens.npy", lens)
    case(folder, "lengths of a file", ["--valid-lens", folder / "lens.npy"], scaled, j < lens[:, None, :, None])
    mask = rng.random((B, 1, Lq, Lk)) < 0.5
    np.save(folder / "mask.npy", mask)
    case(folder, "mask", ["--mask", folder / "mask.npy"], scaled, mask)
    np.save(folder / "zeros_and_ones.npy", mask.astype(np.float32))
    case(folder, "mask of numbers", ["--mask", folder / "zeros_and_ones.npy", "--causal", "top-left"], scaled, mask & (j <= i))

    # The standard input, JSON, and mixed types.
    np.save(folder / "q.npy", q[0, 0].astype(np.float32))
    np.save(folder / "k.npy", (10 * k[0, 0]).astype(np.int64))
    np.save(folder / "v.npy", v[0, 0])
    printed = json.loads(heed("--queries", "-", "--keys", folder / "k.npy", "--values", folder / "v.npy", "--json",
                              stdin=(folder / "q.npy").read_bytes()))
    scores = q[0, 0].astype(np.float32).astype(np.float64) @ (10 * k[0, 0]).astype(np.int64).T / np.sqrt(D)
    np.testing.assert_allclose(printed["output"], softmax(scores, np.full(scores.shape, True)) @ v[0, 0], atol=1e-12)
    assert printed["shape"] == [Lq, Dv] and printed["dtype"] == "f64"
    print("standard input, JSON and types: ok")
