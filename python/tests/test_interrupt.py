# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Ctrl-C ends a call that takes long within a second, and leaves nothing half-written."""

import os
import subprocess
import sys

import pytest

import heed

# Each takes seconds, or for ever, by itself. What it begins with is made before the clock runs.
POINTS = "x, y = heed.rand((30000, 3)), heed.rand((30000,))"
SAVE = "heed.save_all('x.npz', {'x': x}, compress=True)"
CALLS = {
    "attend": ("x = np.ones((1, 8, 32768, 64), np.float32)", "heed.attend(x, x, x)"),
    "backward": (
        "x = heed.ones((1, 2, 32768, 64)).requires_grad_(); lens = heed.valid_lens([16384])\n"
        "y = heed.attend(x, x, x, mask=lens)",
        "y.backward(y.detach())",
    ),
    "matmul": ("x = heed.ones((9000, 9000), dtype=heed.f64)", "x @ x"),
    "normal": ("", "heed.normal((400_000_000,), dtype=heed.f64)"),
    "cross_validated_bandwidth": (POINTS, "heed.cross_validated_bandwidth(x, y)"),
    "learned_bandwidth": (POINTS, "heed.learned_bandwidth(x, y, epochs=1000)"),
    "svg": ("h = heed.show_heatmaps(heed.rand((4, 4, 640, 640)))", "h.svg()"),
    "text": ("h = heed.show_heatmaps(heed.rand((10000, 10000)))", "h.text()"),
    "save": ("x = heed.rand((100_000_000,))", SAVE),
    "load": ("os.mkfifo('pipe.npy'); end = os.open('pipe.npy', os.O_RDWR)", "heed.load('pipe.npy')"),
}

# Counts the processor's seconds, gnuplot's too: on a busy machine those of the clock say nothing.
PROGRAM = """
import os, signal, threading, time
import heed, numpy as np
{setup}
sent = []
def interrupt():
    time.sleep(0.4)
    sent.append(sum(os.times()[:4]))
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    {call}
except KeyboardInterrupt:
    print(sum(os.times()[:4]) - sent[0])
"""


def seconds_to_end(setup, call, folder):
    program = PROGRAM.format(setup=setup, call=call)
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, cwd=folder
    )
    assert result.returncode == 0 and result.stdout, result.stderr or "the call came to its end"
    return float(result.stdout)


@pytest.mark.parametrize("name", CALLS)
def test_a_long_call_ends_within_a_second(name, tmp_path):
    assert seconds_to_end(*CALLS[name], tmp_path) < 1


def test_a_file_is_left_as_it_was(tmp_path):
    heed.save_all(tmp_path / "x.npz", {"x": heed.ones((2,))})
    seconds_to_end("x = heed.rand((100_000_000,))", SAVE, tmp_path)
    assert os.listdir(tmp_path) == ["x.npz"]
    assert heed.load_all(tmp_path / "x.npz")["x"].tolist() == [1, 1]
