# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""beside_torch.py FIRST FOLDER: imports torch and heed, FIRST first, and has both compute on all threads, in turn."""

import importlib
import sys
from pathlib import Path

first, folder = sys.argv[1:]
second = {"torch": "heed", "heed": "torch"}[first]
importlib.import_module(first)
importlib.import_module(second)
import heed  # noqa: E402
import heed.torch  # noqa: E402
import torch  # noqa: E402

assert Path(heed.__file__).is_relative_to(folder), heed.__file__

torch.manual_seed(0)
q, k, v = (torch.randn(2, 4, 300, 64, requires_grad=True) for _ in range(3))
for _ in range(3):
    here = heed.torch.sdpa(q, k, v, is_causal=True)
    there = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    assert torch.allclose(here, there, atol=1e-5)
    ours = torch.autograd.grad(here.square().sum(), q)[0]
    theirs = torch.autograd.grad(there.square().sum(), q)[0]
    assert torch.allclose(ours, theirs, atol=1e-4)
    # Products go to each library's BLAS.
    a = torch.randn(300, 300)
    product = heed.matmul(heed.tensor(a), heed.tensor(a)).numpy()
    assert torch.allclose(torch.from_numpy(product), a @ a, atol=1e-2)

# Each is served by the libraries it brought, none by the system's.
maps = {entry for entry in Path("/proc/self/maps").read_text().split() if "openblas" in entry or "gomp" in entry}
assert any(entry.startswith(folder) for entry in maps), maps
assert not any(entry.startswith(("/lib", "/usr/lib")) for entry in maps), maps
