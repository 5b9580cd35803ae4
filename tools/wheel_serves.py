"""Says in words which Pythons and systems a wheel serves: wheel_serves.py WHEEL_NAME."""

import re
import sys

from packaging.utils import parse_wheel_filename


def pythons(tags):
    (python,) = {tag.interpreter for tag in tags}
    version = f"{python[2]}.{python[3:]}"
    return f"CPython {version} and later" if {tag.abi for tag in tags} == {"abi3"} else f"CPython {version}"


def systems(tags):
    found = [re.fullmatch(r"manylinux_(\d+)_(\d+)_(\w+)", tag.platform) for tag in tags]
    major, minor, machine = min((int(m[1]), int(m[2]), m[3]) for m in found if m)
    return f"Linux on {machine} with glibc {major}.{minor} or later"


tags = parse_wheel_filename(sys.argv[1])[3]
print(f"serves {pythons(tags)}, {systems(tags)}")
