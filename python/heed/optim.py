# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Optimisers; the numbers are those of the PyTorch optimisers of the same names."""

from heed import _functions
from heed._core._optim import *  # noqa: F403

_functions.present(__name__, globals())
