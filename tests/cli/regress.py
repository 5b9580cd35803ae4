# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed regress against a plain numpy computation. Usage: regress.py HEED"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HEED = sys.argv[1]


def heed(*arguments):
    run = subprocess.run([HEED, "regress", *map(str, arguments)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert all(line.startswith("heed: note: of ") for line in run.stderr.splitlines()), run.stderr
    return run.stdout


def weights(at, x, h, leave_out=False):
    scores = -0.5 * (((at[:, None, :] - x[None, :, :]) / h) ** 2).sum(-1)
    if leave_out:
        np.fill_diagonal(scores, -np.inf)
    p = np.exp(scores - scores.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def left_out_error(x, y, h):
    return ((weights(x, x, h, leave_out=True) @ y - y) ** 2).mean(0)


def check_against_numpy(found, x, y, at):
    """Everything the JSON says, from the bandwidth in it."""
    h = np.array([np.inf if b is None else b for b in found["bandwidth"]])
    residuals = y - weights(x, x, h, leave_out=True) @ y
    total = ((y - y.mean(0)) ** 2).sum(0)
    np.testing.assert_allclose(found["leave_one_out_error"], (residuals**2).mean(0), rtol=1e-9)
    np.testing.assert_allclose(found["leave_one_out_r_squared"], 1 - (residuals**2).sum(0) / total, rtol=1e-9)
    fitted = weights(x, x, h) @ y
    np.testing.assert_allclose(found["r_squared"], 1 - ((fitted - y) ** 2).sum(0) / total, rtol=1e-9)
    p = weights(at, x, h)
    np.testing.assert_allclose(found["predictions"]["y"], p @ y, rtol=1e-9)
    np.testing.assert_allclose(found["predictions"]["standard_error"], np.sqrt(p**2 @ residuals**2), rtol=1e-7)
    spread = 1.96 * np.sqrt(p**2 @ residuals**2)
    np.testing.assert_allclose(found["predictions"]["lower"], p @ y - spread, rtol=1e-7)
    np.testing.assert_allclose(found["predictions"]["upper"], p @ y + spread, rtol=1e-7)
    np.testing.assert_allclose(found["predictions"]["neighbours"], 1 / (p**2).sum(1), rtol=1e-7)
    counts = np.isfinite(h)
    outside = ((at < x.min(0)) | (at > x.max(0)))[:, counts].any(1)
    assert found["predictions"]["outside"] == outside.tolist()
    np.testing.assert_allclose(found["leave_one_out_rmse"], np.sqrt((residuals**2).mean(0)), rtol=1e-9)
    return h


def write_csv(path, header, rows):
    lines = [",".join(header)] + [",".join("" if v is None else repr(float(v)) for v in row) for row in rows]
    path.write_text("\n".join(lines) + "\n")


def test_one_column(folder):
    rng = np.random.default_rng(1)
    x = np.sort(rng.uniform(0, 5, 80))
    y = 2 * np.sin(x) + x**0.8 + rng.normal(0, 0.5, 80)
    rows = [[a, b] for a, b in zip(x, y)]
    rows.insert(3, [None, 1.0])
    rows.append([2.0, None])
    write_csv(folder / "data.csv", ["x", "y"], rows)
    at = np.array([[-1.0], [0.0], [2.5], [9.0]])

    found = json.loads(heed(folder / "data.csv", "--x", "x", "--y", "y", "--at", "-1", "0", "2.5", "9", "--json"))
    assert (found["rows"], found["dropped"]) == (80, 2)
    X, Y = x[:, None], y[:, None]
    h = check_against_numpy(found, X, Y, at)
    grid = np.exp(np.linspace(np.log(0.01), np.log(10), 600))
    least = min(left_out_error(X, Y, np.array([g]))[0] for g in grid)
    assert left_out_error(X, Y, h)[0] <= least * 1.0005, "cross-validation missed the least error"

    for flags in (["--bandwidth", "0.7"], ["--learn-bandwidth"], ["--learn-bandwidth", "--epochs", "5"]):
        found = json.loads(heed(folder / "data.csv", "--x", "x", "--y", "y", "--at", "-1", "0", "2.5", "9", "--json", *flags))
        check_against_numpy(found, X, Y, at)
    assert len(found["losses"]) == 6
    # The loss of the notes, in units of the standard deviation of y.
    h = np.array(found["bandwidth"])
    np.testing.assert_allclose(found["losses"][-1], left_out_error(X, Y, h)[0] * 80 / 2 / Y.var(), rtol=1e-9)


def test_several_columns(folder):
    rng = np.random.default_rng(2)
    X = rng.uniform(0, 1, (90, 3)) * [1, 100, 1]
    Y = np.stack([np.sin(5 * X[:, 0]) + X[:, 1] / 50, 1e4 * X[:, 0] ** 2], 1) + rng.normal(0, 0.1, (90, 2))
    write_csv(folder / "several.csv", ["a", "b", "useless", "u", "v"], np.hstack([X, Y]))
    np.save(folder / "at.npy", X[:7] * 1.1)
    columns = ["--x", "a", "b", "useless", "--y", "u", "v"]

    found = json.loads(heed(folder / "several.csv", *columns, "--at", folder / "at.npy", "--json"))
    h = check_against_numpy(found, X, Y, X[:7] * 1.1)
    assert h[2] > 2 * X[:, 2].std(), f"a column without use should hardly count: {h}"
    scott = X.std(0) * len(X) ** (-1 / 7)
    share = lambda b: (left_out_error(X, Y, b) / Y.var(0)).mean()
    assert share(h) < share(scott)

    heed(folder / "several.csv", *columns, "--bandwidth", "0.1,20,inf", "--at", folder / "at.npy", "--out", folder / "p.npz")
    out = np.load(folder / "p.npz")
    np.testing.assert_allclose(out["y"], weights(X[:7] * 1.1, X, np.array([0.1, 20, np.inf])) @ Y, rtol=1e-9)
    np.testing.assert_allclose(out["x"], X[:7] * 1.1)
    assert out["y_se"].shape == (7, 2)


def test_fitted_values_in_a_table(folder):
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(20, 1)), rng.normal(size=(20, 1))
    write_csv(folder / "plain.csv", ["x", "y"], np.hstack([X, Y]))
    heed(folder / "plain.csv", "--x", "x", "--y", "y", "--bandwidth", 1, "--out", folder / "fitted.csv")
    table = np.genfromtxt(folder / "fitted.csv", delimiter=",", names=True)
    assert table.dtype.names == ("x", "y", "y_se", "y_lower", "y_upper", "neighbours", "outside")
    p = weights(X, X, np.ones(1))
    np.testing.assert_allclose(table["neighbours"], 1 / (p**2).sum(1), rtol=1e-7)
    np.testing.assert_allclose(table["y_upper"] - table["y"], 1.96 * table["y_se"], rtol=1e-7)
    assert not table["outside"].any()
    np.testing.assert_allclose(table["y"], (weights(X, X, np.ones(1)) @ Y)[:, 0], rtol=1e-9)
    np.testing.assert_allclose(table["x"], X[:, 0])


with tempfile.TemporaryDirectory() as name:
    for test in (test_one_column, test_several_columns, test_fitted_values_in_a_table):
        test(Path(name))
        print(f"{test.__name__}: ok")
