"""Optimisers; the numbers are those of the PyTorch optimisers of the same names."""

from heed._core._optim import *  # noqa: F403
