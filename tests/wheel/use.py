# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Uses an installed heed with Python alone: the engine, BLAS, zlib, and the command with its benchmarks."""

import subprocess
import sys
import tempfile
from pathlib import Path

import heed


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "heed", *arguments], check=True, capture_output=True, text=True).stdout


waists, weights = heed.tensor([[51.0], [56], [58]]), heed.tensor([[40.0], [43], [48]])
answer = heed.attend(heed.tensor([[57.0]]), waists, weights, score=heed.Gaussian(bandwidth=1))
assert abs(answer.item() - 45.5) < 1e-3, answer

attention = heed.nn.MultiHeadAttention(hidden=64, heads=4)
x = heed.normal((2, 128, 64))
heed.sum(attention(x, x, x, heed.causal())).backward()
assert all(parameter.grad is not None for parameter in attention.parameters())

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "x.npz"
    heed.save_all(path, {"x": x}, compress=True)
    assert heed.identical(heed.load(f"{path}:x"), x)

assert command("--version") == f"heed {heed.__version__}\n"
assert "45.5" in command("tour", "--only", "waist")
assert "tiny" in command("bench", "--quick", "--threads", "1", "--only", "tiny")
