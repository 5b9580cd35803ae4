# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The source distribution has every source. tools/try-sdist builds a wheel from it, which takes minutes."""

import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_sdist_has_every_file_of_the_repository(tmp_path):
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=True).stdout.split()
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", str(tmp_path), str(ROOT)], check=True)
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as file:
        packed = {name.partition("/")[2] for name in file.getnames()}
    assert [name for name in tracked if name not in packed] == []
    assert "PKG-INFO" in packed
