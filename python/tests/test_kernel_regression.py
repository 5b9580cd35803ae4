# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.KernelRegression: what Python adds to the library's own tests."""

import numpy as np
import pytest

import heed

X, Y = np.array([51.0, 56.0, 58.0]), np.array([40.0, 43.0, 48.0])


@pytest.mark.parametrize("bandwidth", [0.05, [0.05], (0.05,), np.float64(0.05), np.array([0.05]), np.array(0.05)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_bandwidth_keeps_its_digits(bandwidth, dtype):
    model = heed.KernelRegression(X.astype(dtype), Y.astype(dtype), bandwidth)
    assert model.bandwidth.dtype == heed.f64
    assert model.bandwidth.numpy().tolist() == [0.05]


def test_a_bandwidth_is_not_text():
    for wrong in ("0.05", None):
        with pytest.raises(TypeError):
            heed.KernelRegression(X, Y, wrong)


def test_leverage_and_warnings():
    model = heed.KernelRegression(X, Y, 1e-3)
    np.testing.assert_allclose(model.leverage().numpy(), [1, 1, 1], rtol=1e-9)
    assert model.degrees_of_freedom() == pytest.approx(3, rel=1e-9)
    assert "'waist'" in model.warnings(["waist"])[0]


def test_bands_and_local_polynomials():
    x = np.linspace(0, 1, 50)
    model = heed.KernelRegression(x, 3 * x + 0.1 * np.cos(40 * x), 0.1)
    assert abs(model.local_fit([1.0], 1).slope.item() - 3) < 0.5
    band = model.band([0.5, 1.0])
    single = model.band([0.5, 1.0], new_observation=True, level=0.99)
    assert (single.lower.numpy() < band.lower.numpy()).all() and (band.upper.numpy() < single.upper.numpy()).all()
