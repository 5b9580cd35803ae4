# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""How often 95 % bands hold the truth. Usage: PYTHONPATH=build/release/python python bench/coverage.py [--runs 1000]

Curves and designs of docs/regression.md; bandwidths by cross-validation in every run. One line each: shares at the two ends,
a quarter in, and the peak (the middle).
"""

import argparse

import numpy as np

import heed

CURVES = {
    "sin 2 pi x": (0, 1, lambda x: np.sin(2 * np.pi * x), 0.3),
    "2 sin x + x^0.8": (0, 5, lambda x: 2 * np.sin(x) + x**0.8, 0.5),
    "x + 2 exp(-16 (x - .5)^2)": (0, 1, lambda x: x + 2 * np.exp(-16 * (x - 0.5) ** 2), 0.3),
}
DESIGNS = {"uniform": lambda rng, n: rng.random(n), "Beta(2, 4)": lambda rng, n: rng.beta(2, 4, n)}
NOISES = {"even": lambda u: np.ones_like(u), "growing": lambda u: 0.5 + u}


def shares(curve, design, noise, n, runs):
    low, high, f, sigma = curve
    rng = np.random.default_rng(1)
    held = {"curve": np.zeros(4), "observation": np.zeros(4)}
    for _ in range(runs):
        u = design(rng, n)
        x = low + (high - low) * u
        y = f(x) + sigma * noise(u) * rng.normal(size=n)
        at_u = np.array([u.min(), np.quantile(u, 0.25), 0.5, u.max()])
        at = low + (high - low) * at_u
        model = heed.KernelRegression(x, y, heed.cross_validated_bandwidth(x, y))
        new = f(at) + sigma * noise(at_u) * rng.normal(size=4)
        for what, truth in (("curve", f(at)), ("observation", new)):
            band = model.band(at, new_observation=what == "observation")
            held[what] += (band.lower.numpy()[:, 0] <= truth) & (truth <= band.upper.numpy()[:, 0])
    return {what: count / runs for what, count in held.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--n", type=int, nargs="+", default=[200, 1000])
    options = parser.parse_args()
    for n in options.n:
        for name, curve in CURVES.items():
            for design, draw in DESIGNS.items():
                for noise, scale in NOISES.items():
                    found = shares(curve, draw, scale, n, options.runs)
                    text = "  ".join(f"{what} " + " ".join(f"{s:.3f}" for s in at) for what, at in found.items())
                    print(f"n {n:5}  {name:26} x {design:10} noise {noise:8} {text}", flush=True)


main()
