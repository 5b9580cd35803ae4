# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""bench/peers.py compares like with like: every case is there for both libraries, and runs."""

import inspect
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[3] / "bench"))

import heed_cases  # noqa: E402
import torch_cases  # noqa: E402
from peer_cases import cases  # noqa: E402

SMALL = {"batch": 1, "heads": 2, "query_heads": 4, "n": 5, "d": 8, "hidden": 8}


@pytest.mark.parametrize("case", cases(quick=True), ids=lambda case: case.name)
@pytest.mark.parametrize("library", [heed_cases, torch_cases], ids=lambda library: library.__name__)
def test_case(case, library):
    inspect.signature(getattr(library, case.make)).bind(**case.options)
    case.options = {name: SMALL.get(name, value) for name, value in case.options.items()}
    run = case.prepare(library)
    run()
    run()
