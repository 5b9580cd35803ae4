# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Nadaraya-Watson regression as an estimator of scikit-learn's."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from heed._text import shortened
from heed._core import Error, KernelRegression, cross_validated_bandwidth, learned_bandwidth


class NadarayaWatson(MultiOutputMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """f(x) = sum_i K((x - x_i) / h) y_i / sum_i K((x - x_i) / h) with a Gaussian K: heed.KernelRegression for pipelines of
    scikit-learn's. The notes' module, which learns one width, is heed.nn.NWKernelRegression.

    bandwidth is a number or one per feature; "cv" picks the one of each feature by leave-one-out cross-validation, "sgd"
    learns them by gradient descent, epochs steps of lr. Fitted: bandwidth_, one per feature (infinite: the feature counts for
    nothing), and losses_ for "sgd".

    >>> x, y = np.array([[51.0], [56.0], [58.0]]), np.array([40.0, 43.0, 48.0])
    >>> NadarayaWatson(bandwidth=1.0).fit(x, y).predict([[57.0]]).round(4)
    array([45.5])
    """

    def __init__(
        self, bandwidth: float | Any | Literal["cv", "sgd"] = "cv", *, epochs: int = 50, lr: float = 0.5
    ) -> None:
        self.bandwidth = bandwidth
        self.epochs = epochs
        self.lr = lr

    def fit(self, X: Any, y: Any) -> NadarayaWatson:
        """Keeps the points and chooses the bandwidth."""
        for name, given in (("X", X), ("y", y)):
            if np.ma.is_masked(given):
                raise Error(f"NadarayaWatson: {name} has masked entries, whose mask would be lost: leave their rows out")
        X, y = validate_data(self, X, y, dtype=(np.float64, np.float32), multi_output=True, y_numeric=True)
        y = np.asarray(y, dtype=X.dtype)
        self._single_output = y.ndim == 1
        self.model_ = KernelRegression(X.copy(), y.copy(), self._choose_bandwidth(X, y))
        self.bandwidth_ = self.model_.bandwidth.numpy()
        return self

    def predict(
        self, X: Any, *, return_std: bool = False, interval: Literal["curve", "observation"] | None = None, level: float = 0.95
    ) -> Any:
        """f at the rows of X; with its standard error (of scatter alone), or as (f, lower, upper).

        An interval holds the curve, or a new observation, with the probability level at each row by itself. It corrects the
        bias of f, which it need not be centred on, and needs one feature.
        """
        check_is_fitted(self, "model_")
        if interval not in (None, "curve", "observation"):
            raise ValueError(f'NadarayaWatson: interval must be "curve" or "observation", found "{interval}"')
        if return_std and interval is not None:
            raise ValueError("NadarayaWatson: return_std and interval are two things; ask for one")
        X = validate_data(self, X, dtype=self.model_.x.numpy().dtype, reset=False)
        f = self._shaped(self.model_.predict(X))
        if return_std:
            residuals = self.model_.y.numpy() - self.model_.leave_one_out().numpy()
            return f, self._shaped(self.model_.standard_error(X, residuals))
        if interval is not None:
            band = self.model_.band(X, level=level, new_observation=interval == "observation")
            return f, self._shaped(band.lower), self._shaped(band.upper)
        return f

    def _shaped(self, rows: Any) -> Any:
        out = rows.numpy()
        return out[:, 0] if self._single_output else out

    def _choose_bandwidth(self, X: Any, y: Any) -> Any:
        if not isinstance(self.bandwidth, str):
            return np.broadcast_to(np.asarray(self.bandwidth, dtype=np.float64), (X.shape[1],))
        if self.bandwidth not in ("cv", "sgd"):
            found = shortened(self.bandwidth)
            raise ValueError(f'NadarayaWatson: bandwidth must be a number, "cv" or "sgd", found "{found}"')
        if len(X) < 2:
            raise ValueError(f'NadarayaWatson: bandwidth "{self.bandwidth}" needs 2 samples, found 1 sample')
        if self.bandwidth == "cv":
            return cross_validated_bandwidth(X, y)
        learned = learned_bandwidth(X, y, epochs=self.epochs, lr=self.lr)
        self.losses_ = learned.losses
        return learned.bandwidth
