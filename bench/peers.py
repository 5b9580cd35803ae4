#!/usr/bin/env python3
# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Compares heed with PyTorch on the same shapes, machine and number of threads.

usage: bench/peers.py [--quick] [--json FILE] [--note TEXT] [--threads 1,all] [--only REGEX] [--here] [--heed PROGRAM | --python]
       bench/peers.py --readme FILE

Both programs run in turn, in short rounds: heed, PyTorch, heed, PyTorch, ... A round of PyTorch is compared with the
rounds of heed before and after it, so that whatever slows down the machine slows down both; on one thread both take the
same processor, another one in every round, for neighbours slow down some more than others. The ratio is PyTorch's
time over heed's: above 1 heed is faster. Shown are the median over the rounds and the middle half of them. Rounds in which
other programs took either's processors away are repeated while there is time; `quiet` in the JSON is how many were not
disturbed, and where it is less than 3, all were used.

PyTorch lives in a virtual environment, build/peers, made at the first run; --here takes that of this interpreter. heed
is built by bench/run; --heed names a heed_bench that is there already. --python takes heed's Python package instead, in
one process with PyTorch: what a user of Python sees, calls included. It is the one that ./test builds, or one that is
installed.

--readme writes the README's table from a file that --json wrote; results/peers.json is the one it shows.
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

sys.dont_write_bytecode = True  # no __pycache__ beside the sources
from peer_cases import cases  # noqa: E402
from peer_report import heading, machine, table_row, with_table, write_json  # noqa: E402

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
        self.pid = self.process.pid
        # It may be built first. And OpenMP counts processors as it starts: threads beyond that number sleep between calls.
        self.ask("small_call", threads=1, seconds=0.001)

    def seconds_per_run(self, case, threads, seconds):
        return self.ask(case.name, threads, seconds)

    def ask(self, name, threads, seconds):
        self.process.stdin.write(f"{name} {threads} {seconds}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer or answer.startswith("error"):
            sys.exit(f"peers: heed_bench: {answer.strip() or 'no answer'}")
        return float(answer)

    def use_processors(self, processors):
        os.sched_setaffinity(self.process.pid, processors)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class HeedPackage:
    """heed's Python package, in this process."""

    def __init__(self):
        sys.path.append(str(ROOT / "build" / "release" / "python"))
        import heed  # only to be had in the environment, or where ./test built it
        import heed_cases

        self.set_num_threads = heed.set_num_threads
        self.library = heed_cases
        self.pid = os.getpid()
        self.running = {}

    def seconds_per_run(self, case, threads, seconds):
        self.set_num_threads(threads)
        if case.name not in self.running:
            self.running = {case.name: case.prepare(self.library)}
        return seconds_per_run(self.running[case.name], seconds)

    def use_processors(self, processors):
        pass  # those of this process

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


def seconds_waited(processes):
    """How long threads of these processes have been ready to run while other programs ran."""
    waited = 0
    for process in processes:
        for task in Path(f"/proc/{process}/task").iterdir():
            waited += int((task / "schedstat").read_text().split()[1])
    return waited / 1e9


def measured(measure, processes):
    """Seconds per run, and whether other programs took processors away for more than a twentieth of the round."""
    time.sleep(0.03)  # idle threads of the one spin for up to 20 ms and would slow down the other
    start, waited = time.perf_counter(), seconds_waited(processes)
    seconds = measure()
    return seconds, seconds_waited(processes) - waited > 0.05 * (time.perf_counter() - start)


def compare(heed, case, threads, run, effort):
    """A row of seconds and ratios over rounds in turn. Rounds that were disturbed count only where there are no others."""
    everywhere = sorted(os.sched_getaffinity(0))

    def use_processors(processors):
        os.sched_setaffinity(0, processors)
        heed.use_processors(processors)

    processes = {os.getpid(), heed.pid}

    def ours():
        return measured(lambda: heed.seconds_per_run(case, threads, effort["seconds"]), processes)

    rounds, quiet = [], []
    start = time.monotonic()
    before = None
    while len(quiet) < effort["rounds"]:
        # Three quiet rounds are worth waiting for.
        limit = effort["limit"] if len(quiet) >= 3 else effort["patience"]
        if len(rounds) >= 3 and time.monotonic() - start > limit:
            break
        if threads == 1:
            use_processors({everywhere[len(rounds) % len(everywhere)]})
            before = None
        before = before or ours()
        theirs = measured(lambda: seconds_per_run(run, effort["seconds"]), processes)
        after = ours()
        rounds.append((theirs[0], (before[0] + after[0]) / 2))
        if not (before[1] or theirs[1] or after[1]):
            quiet.append(rounds[-1])
        before = after
    use_processors(set(everywhere))
    used = quiet if len(quiet) >= 3 else rounds
    ratios = [theirs / ours for theirs, ours in used]
    low, _, high = statistics.quantiles(ratios, n=4)
    return {
        "name": case.name,
        "shape": case.shape,
        "threads": threads,
        "heed_seconds": statistics.median(ours for _, ours in used),
        "torch_seconds": statistics.median(theirs for theirs, _ in used),
        "ratio": statistics.median(ratios),
        "ratio_quartiles": [low, high],
        "rounds": len(used),
        "quiet": len(quiet),
    }


def thread_counts(text):
    everything = len(os.sched_getaffinity(0))
    counts = []
    for word in text.split(","):
        if word != "all" and not (word.isdigit() and int(word) > 0):
            sys.exit(f"peers: --threads: '{word}' is neither a number nor all")
        counts.append(everything if word == "all" else int(word))
    return sorted(set(counts))


def write_readme(results):
    readme = ROOT / "README.md"
    readme.write_text(with_table(readme.read_text(), json.loads(Path(results).read_text())))


def main():
    parser = argparse.ArgumentParser(description="Compares heed with PyTorch, in turn on the same machine.")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds, a smaller Gaussian")
    parser.add_argument("--json", metavar="FILE", help="also write the rows to this file")
    parser.add_argument("--note", default="", metavar="TEXT", help="what to say of the machine besides, in that file")
    parser.add_argument("--threads", default="1,all", help="numbers of threads, by comma (default: 1,all)")
    parser.add_argument("--only", default="", metavar="REGEX", help="only cases whose name matches")
    parser.add_argument("--here", action="store_true", help="take the PyTorch of this interpreter")
    parser.add_argument("--heed", metavar="PROGRAM", help="take this heed_bench; built otherwise")
    parser.add_argument("--python", action="store_true", help="take heed's Python package, in this process")
    parser.add_argument("--readme", metavar="FILE", help="only write the README's table, from such a file")
    options = parser.parse_args()
    if options.readme:
        return write_readme(options.readme)
    counts = thread_counts(options.threads)
    if not options.here:
        enter_environment()

    import torch  # only to be had in the environment
    import torch_cases

    chosen = [case for case in cases(options.quick) if options.python or not case.package]
    chosen = [case for case in chosen if re.search(options.only, case.name)]
    if not chosen:
        sys.exit(f"peers: --only: no case matches '{options.only}'")
    effort = {"seconds": 0.1, "rounds": 25, "limit": 60, "patience": 120}
    if options.quick:
        effort = {"seconds": 0.05, "rounds": 7, "limit": 8, "patience": 60}

    heed = HeedPackage() if options.python else Heed(options.heed or str(ROOT / "bench" / "run"))
    rows = []
    print(f"PyTorch {torch.__version__}\n", flush=True)
    print(heading())
    for threads in counts:
        torch.set_num_threads(threads)
        for case in chosen:
            rows.append(compare(heed, case, threads, case.prepare(torch_cases), effort))
            print(table_row(rows[-1]), flush=True)
    heed.close()
    if options.json:
        flags = [f"--{name}" for name in ("quick", "python") if getattr(options, name)]
        header = {
            "command": " ".join(["bench/peers.py", *flags]),
            "torch": torch.__version__,
            "machine": machine(options.note),
        }
        write_json(Path(options.json), header, rows)


if __name__ == "__main__":
    main()
