# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Every example in a docstring and in the documents runs and prints what it says; every public name has one."""

import doctest
import importlib.util
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import heed
import heed.nn
import heed.optim

ROOT = Path(__file__).resolve().parents[2]


def public_names():
    for module in (heed, heed.nn, heed.optim):
        for name, value in vars(module).items():
            if not name.startswith("_") and callable(value) and value.__module__.startswith("heed"):
                yield f"{module.__name__}.{name}", value


def documented():
    yield "heed", heed
    for name, value in public_names():
        yield name, value
        if inspect.isclass(value):
            for member, attribute in vars(value).items():
                if not member.startswith("_") and callable(attribute):
                    yield f"{name}.{member}", attribute


def run(name, text, globs):
    test = doctest.DocTestParser().get_doctest(text, globs, name, None, None)
    out = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    result = runner.run(test, out=out.append, clear_globs=False)
    globs.update(test.globs)
    assert result.failed == 0, "".join(out)
    return result.attempted


def can_run(text):
    return all(importlib.util.find_spec(name) for name in ("torch", "sklearn", "matplotlib") if name in text)


@pytest.mark.parametrize("name,value", list(documented()), ids=lambda x: x if isinstance(x, str) else "")
def test_docstring(name, value, tmp_path):
    text = inspect.getdoc(value)
    assert text, f"{name} has no docstring"
    if can_run(text):
        run(name, text, {"heed": heed, "np": np, "tmp": tmp_path})


@pytest.mark.parametrize("name,value", list(public_names()), ids=lambda x: x if isinstance(x, str) else "")
def test_has_an_example(name, value):
    assert value is heed.Dtype or ">>>" in value.__doc__, f"{name} has no example"


def documents():
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        blocks = re.findall(r"^```pycon\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
        if blocks:
            yield pytest.param(blocks, id=path.name)


@pytest.mark.parametrize("blocks", list(documents()))
def test_document(blocks, tmp_path, monkeypatch):
    """Block after block in one session, less those that need a library which is not there."""
    monkeypatch.chdir(tmp_path)
    names = {}
    assert sum(run("document", block, names) for block in blocks if can_run(block)) > 0


def test_both_languages_say_the_same_of_the_notes():
    """Headings, examples, rows of tables and what they name."""
    texts = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("notes.md", "notes.zh.md")]
    for pattern in (r"^(#+) ", r"^```\w+\n(.*?)^```", r"^\| .*\|$"):
        a, b = (re.findall(pattern, text, re.MULTILINE | re.DOTALL if "```" in pattern else re.MULTILINE) for text in texts)
        if pattern.startswith("^\\|"):
            a, b = ([re.findall(r"`[^`]*`", row) for row in rows] for rows in (a, b))
        assert a == b and len(a) > 4
