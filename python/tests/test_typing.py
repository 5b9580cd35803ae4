# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""mypy --strict on a program that uses the package, and on the package itself."""

import subprocess
import sys
from pathlib import Path

import heed

PROGRAM = '''
import numpy as np
import numpy.typing as npt

import heed
from heed import nn, optim

x: npt.NDArray[np.float64] = np.ones((2, 3, 4))
out: npt.NDArray[np.float64] = heed.attend(x, x, x, score=heed.ScaledDot(), mask=heed.valid_lens([2, 3]) & heed.causal())
pooled, weights = heed.attend(x, x, x, return_weights=True)
lse: npt.NDArray[np.float64] = heed.attend(x, x, x, return_weights=True, return_lse=True)[2]
tensor: heed.Tensor = heed.attend(heed.borrow(x), x, x)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.SelfAttention(hidden=4, heads=2, dtype=heed.f64)
        self.scale = heed.ones((1,), dtype=heed.f64).requires_grad_()

    def __call__(self, x: heed.Tensor) -> heed.Tensor:
        return 2 * self.attention(x, heed.causal()) * self.scale


net = Net()
adam = optim.Adam(net.parameters(), lr=1e-2)
loss = heed.mse_loss(net(tensor), x)
loss.backward()
adam.step()
grad: heed.Tensor | None = net.scale.grad
shape: tuple[int, ...] = tensor[0, ..., None].shape
'''

MISTAKES = '''
import heed

heed.attend("text", heed.ones((1,)), heed.ones((1,)))
heed.causal(align="centre")
heed.nn.Linear("3", 4)
heed.zeros((2,)).numel()
'''


def check(path, tmp_path):
    package = str(Path(heed.__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(path)],
        capture_output=True, text=True, env={"MYPYPATH": package, "PATH": ""}, cwd=tmp_path,
    )  # fmt: skip


def test_a_program_is_well_typed(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    result = check("program.py", tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


def test_mistakes_are_found(tmp_path):
    (tmp_path / "mistakes.py").write_text(MISTAKES)
    result = check("mistakes.py", tmp_path)
    for line in (4, 5, 6, 7):
        assert f"mistakes.py:{line}: error" in result.stdout, result.stdout


def test_the_package_is_well_typed(tmp_path):
    for name in ("__init__.py", "_arguments.py", "_viz.py", "_matplotlib.py", "_functions.py", "_pickle.py", "__main__.py", "nn.py"):
        result = check(Path(heed.__file__).parent / name, tmp_path)
        assert result.returncode == 0, result.stdout + result.stderr
