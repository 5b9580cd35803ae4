# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""What a long-lived process needs: no leaks, threads, fork, signals, exit."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import heed


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def run_program(text, **options):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=120, **options
    )


def counts(objects):
    return [sys.getrefcount(x) for x in objects]


def test_references_are_given_back(rng):
    q, k, v, bias = (rng.normal(size=(4, 4)) for _ in range(4))
    lengths = np.ones((1,), np.int64)
    objects = (q, k, v, bias, lengths)
    before = counts(objects)
    for _ in range(3):
        heed.attend(q, k, v, bias=bias, return_weights=True, return_lse=True)
        heed.attend(q[None], k[None], v[None], mask=heed.valid_lens(lengths))
        with pytest.raises(heed.Error):
            heed.attend(q, k[:, :2], v)
        with pytest.raises(TypeError):
            heed.attend(q, k, "v")
    gc.collect()
    assert counts(objects) == before
    tensor = heed.borrow(q)
    out = heed.attend(tensor, k, v)
    assert counts(objects) != before
    del tensor, out
    assert counts(objects) == before


def test_a_hundred_thousand_calls_leak_nothing():
    x = np.ones((1, 1, 4, 8), np.float32)
    w = heed.ones((8,)).requires_grad_()

    def work(n):
        for _ in range(n):
            heed.attend(x, x, x, mask=heed.causal(), return_lse=True)
        for _ in range(n // 10):
            heed.sum(heed.tensor(x) * w).backward()
            w.grad = None

    work(2000)
    gc.collect()
    memory, resident, objects = heed.memory_use().current, resident_bytes(), len(gc.get_objects())
    work(100_000)
    gc.collect()
    assert heed.memory_use().current == memory
    assert abs(len(gc.get_objects()) - objects) < 50
    assert resident_bytes() - resident < 4 << 20  # 40 bytes a call would show


def test_sixteen_threads_at_once(rng):
    problems = [[rng.normal(size=(2, n, 16)) for _ in range(3)] for n in range(1, 65)]
    expected = [heed.attend(*p, mask=heed.causal()) for p in problems]

    def attend(i):
        return heed.attend(*problems[i % 64], mask=heed.causal())

    with ThreadPoolExecutor(16) as pool:
        for i, out in enumerate(pool.map(attend, range(64 * 20))):
            np.testing.assert_array_equal(out, expected[i % 64])


def test_threads_train_side_by_side(rng):
    data = rng.normal(size=(16, 8, 4))

    def train(i):
        heed.seed(i)
        net = heed.nn.SelfAttention(hidden=4, heads=2, dtype=heed.f64)
        sgd = heed.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(20):
            sgd.zero_grad()
            heed.mse_loss(net(data[i]), data[i]).backward()
            sgd.step()
        return net.W_q.weight.numpy()

    alone = [train(i) for i in range(16)]
    with ThreadPoolExecutor(16) as pool:
        for a, b in zip(alone, pool.map(train, range(16))):
            np.testing.assert_array_equal(a, b)


def test_other_threads_run_meanwhile(rng):
    x = rng.normal(size=(1, 8, 3000, 64))
    steps = 0
    done = threading.Event()

    def compute():
        heed.attend(x, x, x)
        done.set()

    thread = threading.Thread(target=compute)
    thread.start()
    while not done.is_set():
        steps += 1
    thread.join()
    assert steps > 1000  # with the GIL held, this loop would get a turn or two


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_can_compute():
    result = run_program(
        """
        import os, heed, numpy as np
        heed.set_num_threads(4)
        x = np.random.default_rng(0).normal(size=(1, 8, 256, 32))
        out = heed.attend(x, x, x)
        child = os.fork()
        same = (heed.attend(x, x, x) == out).all()
        if child == 0:
            os._exit(7 if same else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(status, same)
        """
    )
    assert result.stdout.split() == ["7", "True"], result.stderr


DAEMONS = """
import heed, numpy as np, os, sys, threading, time
x = np.ones((1, 2, 64, 16), np.float32)
w = heed.ones((16,)).requires_grad_()
def attend():
    while True:
        heed.attend(x, x, x)
def train():
    while True:
        (heed.borrow(x.copy()) * w).backward(x)  # lets go of the array while it computes
for work in [attend, train] * 4:
    threading.Thread(target=work, daemon=True).start()
"""


@pytest.mark.parametrize("milliseconds", range(10, 30))
def test_daemon_threads_do_not_mind_the_end(milliseconds):
    result = run_program(f"{DAEMONS}\ntime.sleep({milliseconds / 1000})")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_children_of_a_process_with_threads_come_to_their_end():
    result = run_program(
        DAEMONS
        + """
for _ in range(20):
    child = os.fork()
    heed.attend(x, x, x)
    if child == 0:
        sys.exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
    )
    assert result.stdout.split() == ["7"] * 20, result.stderr


def test_interrupting_a_long_call_changes_nothing():
    result = run_program(
        """
        import os, signal, threading, time, heed, numpy as np
        x = np.ones((1, 64, 16384, 64), np.float32)[:, :, ::1]
        w = heed.ones((1, 64, 1, 64)).requires_grad_()
        w.grad = heed.zeros((1, 64, 1, 64))

        def interrupt():
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGINT)

        def attempt(call):
            threading.Thread(target=interrupt).start()
            try:
                call()
            except KeyboardInterrupt:
                return "interrupted"
            return "finished"

        print(attempt(lambda: heed.attend(x, x, x)))
        small = x[:, :, :2048]
        def train():
            while True:
                heed.sum(heed.attend(heed.borrow(small) * w, small, small)).backward()
                w.grad = heed.zeros((1, 64, 1, 64))
        print(attempt(train))
        print(float(heed.sum(w.grad)))
        print(heed.attend(x[0, 0, :4], x[0, 0, :4], x[0, 0, :4]).shape, heed.memory_use().current < x.nbytes)
        """
    )
    assert result.stdout.splitlines() == ["interrupted", "interrupted", "0.0", "(4, 64) True"], result.stderr


def test_a_handler_may_let_the_call_go_on():
    result = run_program(
        """
        import os, signal, threading, time, heed, numpy as np
        heard = []
        signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
        x = np.random.default_rng(1).standard_normal((1, 8, 4096, 64)).astype(np.float32)
        undisturbed = heed.attend(x, x, x)
        ready = threading.Event()
        def send():
            ready.wait()
            os.kill(os.getpid(), signal.SIGUSR1)
        threading.Thread(target=send).start()
        ready.set()
        print((heed.attend(x, x, x) == undisturbed).all(), heard)
        """
    )
    assert result.stdout.split() == ["True", "[1]"], result.stderr


@pytest.mark.parametrize(
    "program",
    [
        "x = heed.ones((3,)); y = x.numpy()",
        "x = np.ones(3); t = heed.borrow(x); del x",
        "net = heed.nn.Linear(in_features=2, out_features=2); heed.cycle = net; net.me = net",
        "x = heed.ones((3,)).requires_grad_(); y = x * heed.borrow(np.ones(3, np.float32)); sys.modules['kept'] = y",
        "import atexit; x = heed.ones((3,)); atexit.register(lambda: print((x * 2).tolist()))",
    ],
)
def test_interpreter_exit(program):
    result = run_program(f"import heed, numpy as np, sys\n{program}")
    assert result.returncode == 0 and result.stderr == "", result.stderr


def test_the_command_comes_with_the_package():
    result = subprocess.run([sys.executable, "-m", "heed", "--version"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert heed.__version__ in result.stdout


def test_import_needs_no_other_library():
    result = run_program(
        """
        import sys
        import heed
        assert heed.attend(heed.ones((2, 2)), heed.ones((2, 2)), heed.ones((2, 2))).shape == (2, 2)
        print(sorted({"numpy", "torch", "jax", "sklearn", "matplotlib"} & set(sys.modules)))
        """
    )
    assert result.stdout == "[]\n", result.stderr


def test_signals_are_left_alone():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
