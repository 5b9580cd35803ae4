# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Says in words which Python and systems a wheel serves: wheel_serves.py WHEEL_NAME."""

import re
import sys

from packaging.utils import parse_wheel_filename


def python(tags):
    (name,) = {tag.interpreter for tag in tags}
    return f"CPython {name[2]}.{name[3:]}"


def systems(tags):
    found = [re.fullmatch(r"manylinux_(\d+)_(\d+)_(\w+)", tag.platform) for tag in tags]
    major, minor, machine = min((int(m[1]), int(m[2]), m[3]) for m in found if m)
    return f"Linux on {machine} with glibc {major}.{minor} or later"


tags = parse_wheel_filename(sys.argv[1])[3]
print(f"serves {python(tags)}, {systems(tags)}")
