# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Rates of regression with one x. Usage: PYTHONPATH=build/release/python python bench/regression.py [--quick]

Everything in one run, in turns, best of three; CPU seconds, for machines that are shared. `sort` is a comparison sort of the same column (NumPy's stable one, as fast as std::sort).
A peer takes part if it is installed: statsmodels and scikit-learn from PyPI, and R's KernSmooth and locfit by Rscript.
"""

import argparse
import importlib.util
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import heed


def designs(rng, n):
    """Points and places: two plain ones, and those that are hard."""
    clusters = np.floor(1000 * rng.random(n)) + 1e-3 * rng.normal(size=n)
    return {
        "uniform": (rng.random(n), rng.random(n), 0.01),
        "normal": (rng.normal(size=n), rng.normal(size=n), 0.01),
        "two clusters": (np.arange(n) % 2 + 0.01 * rng.normal(size=n), rng.random(n), 0.01),
        "seen from 1e6 h": (0.01 * rng.random(n), np.exp(np.log(1e6) * rng.random(n)), 1.0),
        "exp(12 normal)": (np.exp(12 * rng.normal(size=n)), np.exp(12 * rng.normal(size=n)), 0.01),
        "1000 clusters": (clusters, 1000 * rng.random(n), 0.5),
        "Cauchy": (rng.standard_cauchy(n), rng.standard_cauchy(n), 0.01),
    }


def cpu_seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def in_turns(works, rounds):
    """The best of each, none of them always first."""
    best = dict.fromkeys(works, np.inf)
    for _ in range(rounds):
        for name, work in works.items():
            best[name] = min(best[name], cpu_seconds(work))
    return best


def r_seconds(code, x, y):
    """CPU seconds of an R expression over x and y, or nothing."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(Path(folder) / "xy.txt", np.c_[x, y])
        script = f'd <- read.table("{folder}/xy.txt"); x <- d$V1; y <- d$V2; cat(sum(system.time({{{code}}})[1:2]))'
        run = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True)
    return float(run.stdout) if run.returncode == 0 else None


def peers_of_fit(x, y):
    peers = {}
    if importlib.util.find_spec("statsmodels") and len(x) <= 1000:
        from statsmodels.nonparametric.kernel_regression import KernelReg

        peers["statsmodels cv_ls"] = cpu_seconds(lambda: KernelReg(y, x, "c", reg_type="lc", bw="cv_ls"))
    binned = "library(KernSmooth); h <- dpill(x, y); locpoly(x, y, bandwidth = h)"
    gcv = "library(locfit); for (a in seq(0.05, 0.7, length = 15)) gcv(y ~ lp(x, nn = a, deg = 0))"
    for name, code in (("dpill + locpoly", binned), ("locfit, 15 gcv", gcv)):
        seconds = r_seconds(code, x, y)
        if seconds is not None:
            peers[name] = seconds
    return peers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, one round")
    quick = parser.parse_args().quick
    rounds, n = (1, 100_000) if quick else (3, 1_000_000)
    rng = np.random.default_rng(0)

    print(f"predict at {n} places from {n} points")
    for name, (x, places, h) in designs(rng, n).items():
        y = np.sin(6 * np.fmod(x, 7)) + 0.3 * rng.normal(size=n)
        found = in_turns(
            {"sort": lambda x=x: np.sort(x, kind="stable"), "heed": lambda x=x, y=y, h=h, p=places: heed.KernelRegression(x, y, h).predict(p)},
            rounds,
        )
        print(f"  {name:18} sort {found['sort']:.3f} s   fit and predict {found['heed']:.3f} s = {found['heed'] / found['sort']:.1f} sorts")

    print("fit with cross-validation")
    for rows in (1000, 10_000, 100_000) if quick else (1000, 10_000, 100_000, 1_000_000):
        x = rng.random(rows)
        y = np.sin(6 * x) + 0.3 * rng.normal(size=rows)
        found = in_turns({"heed": lambda x=x, y=y: heed.cross_validated_bandwidth(x, y)}, rounds)
        text = "   ".join(f"{name} {seconds:.3f} s" for name, seconds in peers_of_fit(x, y).items())
        print(f"  n = {rows:<8} heed {found['heed']:.4f} s   {text}")

    rows = 10_000
    x = rng.random(rows)
    y = np.sin(6 * x) + 0.3 * rng.normal(size=rows)
    model = heed.KernelRegression(x, y, 0.02)
    residuals = y[:, None] - model.leave_one_out().numpy()
    found = in_turns(
        {"predict": lambda: model.predict(x), "error": lambda: model.standard_error(x, residuals), "band": lambda: model.band(x[:200])},
        max(rounds, 3),
    )
    print(f"at n = {rows}: predict {found['predict']:.4f} s, standard errors {found['error'] / found['predict']:.1f} times that, ", end="")
    print(f"a band at 200 places {found['band'] / found['predict']:.1f} times")


main()
