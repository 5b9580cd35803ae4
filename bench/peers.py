#!/usr/bin/env python3
"""Compares heed with PyTorch on the same shapes, machine and number of threads.

usage: bench/peers.py [--quick] [--json FILE] [--threads 1,all] [--only REGEX] [--here] [--heed PROGRAM | --python]

Both programs run in turn, in short rounds: heed, PyTorch, heed, PyTorch, ... A round of PyTorch is compared with the
rounds of heed before and after it, so that whatever slows down the machine slows down both. The ratio is PyTorch's
time over heed's: above 1 heed is faster. Shown are the median over the rounds and the middle half of them.

PyTorch lives in a virtual environment, build/peers, made at the first run; --here takes that of this interpreter. heed
is built by bench/run; --heed names a heed_bench that is there already. --python takes heed's Python package instead, in
one process with PyTorch: what a user of Python sees, calls included. It is the one that ./test builds, or one that is
installed.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "build" / "peers"


def enter_environment():
    """Goes on in the virtual environment, made and filled if need be."""
    if Path(sys.prefix).resolve() == ENVIRONMENT:
        return
    python = ENVIRONMENT / "bin" / "python3"
    has_peers = [str(python), "-c", "import torch, numpy"]
    if not python.exists() or subprocess.run(has_peers, stderr=subprocess.DEVNULL).returncode != 0:
        print("peers: installing PyTorch in build/peers", file=sys.stderr)
        made = subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)])
        if made.returncode != 0:
            sys.exit("peers: no virtual environment (Debian: apt-get install python3-venv)")
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "torch", "numpy"], check=True)
    os.execv(python, [str(python), *sys.argv])


class Heed:
    """heed_bench --serve, asked line by line."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def seconds_per_run(self, case, threads, seconds):
        self.process.stdin.write(f"{case} {threads} {seconds}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer or answer.startswith("error"):
            sys.exit(f"peers: heed_bench: {answer.strip() or 'no answer'}")
        return float(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class HeedPackage:
    """heed's Python package, in this process."""

    def __init__(self):
        sys.path.append(str(ROOT / "build" / "release" / "python"))
        import heed  # only to be had in the environment, or where ./test built it
        from heed_cases import cases

        self.set_num_threads = heed.set_num_threads
        self.cases = cases()
        self.running = {}

    def seconds_per_run(self, case, threads, seconds):
        self.set_num_threads(threads)
        if case not in self.running:
            self.running = {case: self.cases[case]()}
        return seconds_per_run(self.running[case], seconds)

    def close(self):
        pass


def seconds_per_run(run, seconds):
    """As heed_bench does it: a run to warm up, one to see how many fill the time, then those."""
    run()
    start = time.perf_counter()
    run()
    one = time.perf_counter() - start
    if one > seconds:
        return one
    runs = max(1, round(seconds / one))
    start = time.perf_counter()
    for _ in range(runs):
        run()
    return (time.perf_counter() - start) / runs


def compare(heed, peer, threads, run, effort):
    """Rows of seconds and ratios over rounds in turn."""
    pause = 0.01  # idle threads of the one spin for some milliseconds and would slow down the other
    ours, theirs = [], []
    end = time.monotonic() + effort["limit"]
    ours.append(heed.seconds_per_run(peer.case, threads, effort["seconds"]))
    while len(theirs) < effort["rounds"] and (len(theirs) < 3 or time.monotonic() < end):
        time.sleep(pause)
        theirs.append(seconds_per_run(run, effort["seconds"]))
        time.sleep(pause)
        ours.append(heed.seconds_per_run(peer.case, threads, effort["seconds"]))
    ratios = [t / ((a + b) / 2) for t, a, b in zip(theirs, ours, ours[1:])]
    low, _, high = statistics.quantiles(ratios, n=4)
    return {
        "name": peer.case,
        "shape": peer.shape,
        "threads": threads,
        "heed_seconds": statistics.median(ours),
        "torch_seconds": statistics.median(theirs),
        "ratio": statistics.median(ratios),
        "ratio_quartiles": [low, high],
        "rounds": len(ratios),
    }


def time_text(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3f} {unit}"
    return f"{seconds / 1e-6:.1f} µs"


def table_row(row):
    low, high = row["ratio_quartiles"]
    return (
        f"| {row['name']} | {row['shape']} | {row['threads']} | {time_text(row['heed_seconds'])} "
        f"| {time_text(row['torch_seconds'])} | {row['ratio']:.2f}× | {low:.2f} to {high:.2f} |"
    )


def thread_counts(text):
    everything = len(os.sched_getaffinity(0))
    counts = []
    for word in text.split(","):
        if word != "all" and not (word.isdigit() and int(word) > 0):
            sys.exit(f"peers: --threads: '{word}' is neither a number nor all")
        counts.append(everything if word == "all" else int(word))
    return sorted(set(counts))


def main():
    parser = argparse.ArgumentParser(description="Compares heed with PyTorch, in turn on the same machine.")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds, a smaller Gaussian")
    parser.add_argument("--json", metavar="FILE", help="also write the rows to this file")
    parser.add_argument("--threads", default="1,all", help="numbers of threads, by comma (default: 1,all)")
    parser.add_argument("--only", default="", metavar="REGEX", help="only cases whose name matches")
    parser.add_argument("--here", action="store_true", help="take the PyTorch of this interpreter")
    parser.add_argument("--heed", metavar="PROGRAM", help="take this heed_bench; built otherwise")
    parser.add_argument("--python", action="store_true", help="take heed's Python package, in this process")
    options = parser.parse_args()
    counts = thread_counts(options.threads)
    if not options.here:
        enter_environment()

    sys.dont_write_bytecode = True  # no __pycache__ beside the sources
    import torch  # only to be had in the environment

    from torch_cases import peers

    chosen = [p for p in peers(options.quick) if re.search(options.only, p.case)]
    if not chosen:
        sys.exit(f"peers: --only: no case matches '{options.only}'")
    effort = {"seconds": 0.05, "rounds": 7, "limit": 8} if options.quick else {"seconds": 0.1, "rounds": 25, "limit": 60}

    heed = HeedPackage() if options.python else Heed(options.heed or str(ROOT / "bench" / "run"))
    rows = []
    print(f"PyTorch {torch.__version__}\n", flush=True)
    print("| case | shape | threads | heed | PyTorch | ratio | middle half |\n| --- | --- | --- | --- | --- | --- | --- |")
    for threads in counts:
        torch.set_num_threads(threads)
        for peer in chosen:
            rows.append(compare(heed, peer, threads, peer.prepare(), effort))
            print(table_row(rows[-1]), flush=True)
    heed.close()
    if options.json:
        Path(options.json).write_text(json.dumps({"torch": torch.__version__, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
