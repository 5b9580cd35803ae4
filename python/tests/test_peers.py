# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The README's table of speed is what its data say."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))

import peer_report  # noqa: E402
from peer_cases import cases  # noqa: E402


def row(name, threads, heed, torch):
    return {
        "name": name, "shape": f"the shape of {name}", "threads": threads, "heed_seconds": heed,
        "torch_seconds": torch, "ratio": torch / heed, "ratio_quartiles": [1, 2], "rounds": 7,
    }  # fmt: skip


RESULTS = {
    "command": "bench/peers.py --quick",
    "torch": "2.99",
    "machine": {"cpu": "A CPU", "cores": 4, "python": "3.99", "note": "Shared"},
    "rows": [row("gaussian_n10", 1, 1.5e-3, 0.03), row("unlisted", 1, 1, 2), row("gaussian_n10", 4, 2e-7, 1.234e-6)]
    + [row("unlisted", 4, 1, 2)],
}
TABLE = """\
| | shape | heed, 1 thread | PyTorch | ratio | heed, 4 threads | PyTorch | ratio |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Gaussian regression | the shape of gaussian_n10 | 1.50 ms | 30.0 ms | 20 | 0.20 µs | 1.23 µs | 6.17 |

Ratios above 1: heed is faster. Measured by `bench/peers.py --quick` on A CPU, 4 cores, against PyTorch 2.99, Python 3.99. Shared."""


def test_the_readme_shows_the_results_that_are_kept():
    readme = (ROOT / "README.md").read_text()
    results = json.loads((ROOT / "bench" / "results" / "peers.json").read_text())
    assert peer_report.with_table(readme, results) == readme, "bench/peers.py --readme bench/results/peers.json mends this"
    for begin in peer_report.IN_README:
        assert any(row["name"].startswith(begin) for row in results["rows"]), begin


def test_a_table():
    assert peer_report.readme_table(RESULTS) == TABLE


def test_the_table_takes_the_place_between_the_marks():
    readme = f"before\n{peer_report.BEGIN}\nan old table\n{peer_report.END}\nafter\n"
    expected = f"before\n{peer_report.BEGIN}\n\n{TABLE}\n\n{peer_report.END}\nafter\n"
    assert peer_report.with_table(readme, RESULTS) == expected
    assert peer_report.with_table(expected, RESULTS) == expected
    with pytest.raises(ValueError, match="no place for the table"):
        peer_report.with_table("before\nafter\n", RESULTS)


@pytest.mark.parametrize(
    "seconds,text", [(12.34, "12.3 s"), (0.9999, "1000 ms"), (0.01, "10.0 ms"), (1e-3, "1.00 ms"), (2.5e-7, "0.25 µs")]
)
def test_times(seconds, text):
    assert peer_report.time_text(seconds) == text


def test_names_of_cases_are_unique():
    for quick in (True, False):
        names = [case.name for case in cases(quick)]
        assert len(set(names)) == len(names)
