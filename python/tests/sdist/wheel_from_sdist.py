# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The source distribution is complete: a wheel made of it alone serves a fresh virtual environment. See tools/try-sdist."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Whether it builds and runs is all that counts here: compile as fast as can be.
QUICK = ["-C", "cmake.build-type=Debug", "-C", "cmake.define.CMAKE_CXX_FLAGS_DEBUG=-O0"]


def clean_environment(folder):
    """Without the package that the other tests use; with a compiler cache, where there is one."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if shutil.which("ccache"):
        environment |= {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
    return environment


def test_a_wheel_of_the_sdist_runs_the_readme(tmp_path):
    environment = clean_environment(tmp_path)

    def run(*command):
        result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
        assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
        return result.stdout

    run(sys.executable, "-m", "build", "--sdist", "--outdir", "sdist", str(ROOT))
    (archive,) = (tmp_path / "sdist").iterdir()
    with tarfile.open(archive) as file:
        file.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()

    run(sys.executable, "-m", "venv", "fresh")
    python = tmp_path / "fresh" / "bin" / "python"
    # pip builds in an environment of its own, with nothing but what pyproject.toml asks for.
    place = ["-C", f"build-dir={tmp_path / 'build'}", "-w", "wheel"]
    run(python, "-m", "pip", "wheel", "--no-deps", *QUICK, *place, source)
    shutil.copy(source / "README.md", tmp_path)
    shutil.rmtree(source)
    (wheel,) = (tmp_path / "wheel").iterdir()
    run(python, "-m", "pip", "install", wheel, "numpy")
    run(python, "-m", "doctest", "README.md")
    assert source.name.replace("-", " ") in run(python, "-m", "heed", "--version")
