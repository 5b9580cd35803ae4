# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""python -m heed: the heed command."""

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the command that was installed with the package."""
    program = Path(__file__).parent / "bin" / "heed"
    os.execv(program, ["heed", *sys.argv[1:]])


if __name__ == "__main__":
    main()
