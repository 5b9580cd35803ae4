# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Adds the licences of what auditwheel put into a wheel: wheel_licences.py PLAIN_WHEEL WHOLE_WHEEL.

The libraries come from Debian packages, whose copyright files say what holds for them. Headers that are compiled in count
as well, and nanobind, whose runtime is.
"""

import re
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

# What each part is under, by its Debian package. A package that is not listed has to be looked at first.
LIBRARIES = {
    "libopenblas0-openmp": "BSD-3-Clause",
    "libfmt9": "MIT",
    "zlib1g": "Zlib",
    "libgomp1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgfortran5": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libquadmath0": "LGPL-2.1-or-later",
    "libstdc++6": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1",
}
HEADERS = {"libxsimd-dev": "BSD-3-Clause", "nlohmann-json3-dev": "MIT", "libcli11-dev": "BSD-3-Clause"}
# Debian's copyright files point to these rather than repeat them.
LONG_TEXTS = {"GPL-3.0-or-later WITH GCC-exception-3.1": "GPL-3", "LGPL-2.1-or-later": "LGPL-2.1"}
NANOBIND = {"BSD-3-Clause", "MIT"}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def libraries_of(wheel, folder):
    """The shared libraries of this machine that the wheel's programs are linked with, by the name behind all links."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    found = {}
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        if file.read_bytes()[:4] == b"\x7fELF":
            for path in re.findall(r"=> (/\S+)", output_of("ldd", str(file))):
                library = Path(path).resolve()
                found[library.name] = library
    return found


def package_of(library):
    # Where /lib is a link to /usr/lib, dpkg may know either name.
    for path in (library, Path(str(library).removeprefix("/usr"))):
        result = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if result.returncode == 0:
            return result.stdout.split(":")[0]
    raise SystemExit(f"wheel_licences.py: {library} is in no Debian package, so its licence is not known")


def bundled(wheel, libraries):
    """The Debian packages of the libraries that auditwheel copied; it adds a hash to their names."""
    with zipfile.ZipFile(wheel) as archive:
        copies = [Path(name).name for name in archive.namelist() if ".libs/" in name and ".so" in name]
    packages = set()
    for copy in copies:
        original = re.sub(r"-[0-9a-f]{8}(?=\.)", "", copy, count=1)
        packages.add(package_of(libraries[original]))
    return packages


def licence_texts(packages):
    """The text for each part, by its name, and the expressions that hold."""
    unknown = packages - LIBRARIES.keys()
    if unknown:
        raise SystemExit(f"wheel_licences.py: say which licence {', '.join(sorted(unknown))} has, in LIBRARIES")
    parts = {name: LIBRARIES[name] for name in packages} | HEADERS
    texts = {name: Path(f"/usr/share/doc/{name}/copyright").read_bytes() for name in parts}
    for expression in set(parts.values()) & LONG_TEXTS.keys():
        name = LONG_TEXTS[expression]
        texts[name] = Path("/usr/share/common-licenses", name).read_bytes()
    (licence,) = [file for file in distribution("nanobind").files if file.name == "LICENSE"]
    texts["nanobind"] = licence.read_binary()
    # Its map has none of its own: the header begins with it.
    header = next(file for file in distribution("nanobind").files if file.name == "robin_map.h")
    texts["robin-map"] = header.read_text().split("*/")[0].encode() + b"*/\n"
    return texts, sorted(set(parts.values()) | NANOBIND)


def add(texts, expressions, wheel, folder):
    subprocess.run([sys.executable, "-m", "wheel", "unpack", wheel, "--dest", folder], check=True, capture_output=True)
    (unpacked,) = folder.iterdir()
    (info,) = unpacked.glob("*.dist-info")
    lines = []
    for name, text in sorted(texts.items()):
        path = info / "licenses" / "bundled" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        lines.append(f"License-File: bundled/{name}")
    metadata = (info / "METADATA").read_text()
    combined = " AND ".join(["Apache-2.0", *(f"({e})" if " WITH " in e else e for e in expressions)])
    metadata = metadata.replace("License-Expression: Apache-2.0\n", f"License-Expression: {combined}\n")
    metadata = metadata.replace("License-File: LICENSE\n", "\n".join(["License-File: LICENSE", *lines]) + "\n")
    (info / "METADATA").write_text(metadata)
    subprocess.run([sys.executable, "-m", "wheel", "pack", unpacked, "--dest-dir", Path(wheel).parent], check=True,
                   capture_output=True)


def main():
    plain, whole = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        packages = bundled(whole, libraries_of(plain, Path(folder) / "plain"))
        texts, expressions = licence_texts(packages)
        (Path(folder) / "whole").mkdir()
        add(texts, expressions, whole, Path(folder) / "whole")


if __name__ == "__main__":
    main()
