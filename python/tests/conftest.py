# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import numpy as np
import pytest

import heed


@pytest.fixture(autouse=True)
def fresh_generator():
    heed.seed(0)


@pytest.fixture
def rng():
    return np.random.default_rng(0)
