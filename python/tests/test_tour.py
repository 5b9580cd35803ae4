# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The programs in Python on the tour's page: each runs as it stands, and prints what the page says."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = os.environ.get("HEED_COMMAND", "")


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The page's sections by name."""
    if not COMMAND:
        pytest.skip("built without the heed command")
    folder = tmp_path_factory.mktemp("tour")
    subprocess.run([COMMAND, "tour", "--out", str(folder)], check=True, stdout=subprocess.DEVNULL)
    page = (folder / "index.html").read_text(encoding="utf-8")
    return dict(re.findall(r'<section id="([a-z-]+)">(.*?)</section>', page, re.DOTALL))


def test_every_experiment_has_a_program(sections: dict[str, str]) -> None:
    programs = Path(__file__).parents[2] / "cli" / "tour" / "python"
    assert len(sections) == len(list(programs.glob("*.py"))) == 13


def test_the_programs_print_what_the_page_says(sections: dict[str, str]) -> None:
    for name, section in sections.items():
        (printed,) = re.findall(r'<pre class="output">(.*?)</pre>', section, re.DOTALL)
        program = re.findall(r"In Python</h3>\n<pre class=\"code\"><code>(.*?)</code></pre>", section, re.DOTALL)[0]
        run = subprocess.run([sys.executable, "-c", html.unescape(program)], capture_output=True, text=True,
                             encoding="utf-8", check=False, env={**os.environ, "PYTHONIOENCODING": "utf-8"})
        assert run.returncode == 0, f"{name}: {run.stderr}"
        assert run.stdout.strip() == html.unescape(printed).strip(), name
