# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""contents.py FOLDER: what is in the newest wheel there. Its programs find all libraries inside or on any manylinux system, by
paths relative to themselves, and each library that was added has its licence beside it.
"""

import re
import subprocess
import sys
import tempfile
import zipfile
from email.parser import Parser
from pathlib import Path

# What manylinux expects of every system, of what heed may need.
SYSTEM = re.compile(r"(ld-linux-.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z))\.so(\.\d+)*")


def dynamic(file):
    text = subprocess.run(["readelf", "-d", file], check=True, capture_output=True, text=True).stdout
    paths = ":".join(re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", text))
    return re.findall(r"NEEDED\).*\[(.*)\]", text), [path for path in paths.split(":") if path]


def check_programs(folder):
    programs = [f for f in folder.rglob("*") if f.is_file() and f.read_bytes()[:4] == b"\x7fELF"]
    assert {"heed", "bench"} <= {f.name for f in programs}, programs
    assert any(f.name.startswith("_core") for f in programs), programs
    for program in programs:
        needed, paths = dynamic(program)
        for path in paths:
            assert path.startswith("$ORIGIN"), f"{program.name} looks for libraries in {path}"
        places = [program.parent / path.replace("$ORIGIN/", "").replace("$ORIGIN", ".") for path in paths]
        for library in needed:
            inside = any((place / library).exists() for place in places)
            assert inside or SYSTEM.fullmatch(library), f"{program.name} needs {library}, which is not in the wheel"


def check_licences(folder):
    libraries = [f.name for f in (folder / "heed.libs").iterdir()]
    (info,) = folder.glob("*.dist-info")
    bundled = {f.name for f in (info / "licenses" / "bundled").iterdir()}
    for stem in ("openblas", "gomp", "gfortran", "quadmath", "fmt"):
        if any(name.startswith(f"lib{stem}") for name in libraries):
            assert any(stem in name for name in bundled), f"no licence of {stem} among {bundled}"
    headers = ("libxsimd-dev", "nlohmann-json3-dev", "libcli11-dev", "nanobind", "robin-map")
    for part in (*headers, "libopenblas0-openmp", "GPL-3", "LGPL-2.1"):
        assert part in bundled, f"no licence of {part} among {bundled}"
    metadata = Parser().parsestr((info / "METADATA").read_text())
    for name in metadata.get_all("License-File"):
        assert (info / "licenses" / name).stat().st_size > 200, name
    assert len(metadata.get_all("License-File")) == 1 + len(bundled)
    for expression in ("Apache-2.0", "BSD-3-Clause", "MIT", "GCC-exception-3.1"):
        assert expression in metadata["License-Expression"], metadata["License-Expression"]


def main():
    wheels = sorted(Path(sys.argv[1]).glob("*.whl"), key=lambda file: file.stat().st_mtime)
    if not wheels:
        print("there is no wheel")
        sys.exit(77)
    wheel = wheels[-1]
    assert "manylinux_2_" in wheel.name, wheel.name
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        check_programs(Path(folder))
        check_licences(Path(folder))


main()
