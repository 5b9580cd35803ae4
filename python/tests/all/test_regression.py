# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.regression.NadarayaWatson among scikit-learn's estimators."""

import doctest

import numpy as np
import pytest
from sklearn.datasets import make_friedman1
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import heed
from heed.regression import NadarayaWatson

# Skipped by scikit-learn itself unless it is told to use the array API.
SKIPPED = {"check_array_api_input"}


@pytest.mark.parametrize("bandwidth", [1.0, "cv", "sgd"])
@pytest.mark.filterwarnings("ignore")
def test_check_estimator(bandwidth):
    results = check_estimator(NadarayaWatson(bandwidth), on_fail=None, on_skip=None)
    assert len(results) > 40
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= SKIPPED


def plain(x, y, at, h):
    u = (at[:, None] - x) / h
    k = np.exp(-0.5 * (u**2).sum(-1))
    return k @ y / k.sum(1, keepdims=y.ndim == 2)


@pytest.mark.parametrize("outputs", [(), (3,)])
@pytest.mark.parametrize("h", [0.5, [0.3, 2.0]])
def test_prediction_is_the_weighted_mean(rng, h, outputs):
    x, y, at = rng.normal(size=(30, 2)), rng.normal(size=(30, *outputs)), rng.normal(size=(7, 2))
    out = NadarayaWatson(h).fit(x, y).predict(at)
    np.testing.assert_allclose(out, plain(x, y, at, np.asarray(h)), rtol=1e-10)


def test_chosen_bandwidths_beat_bad_ones(rng):
    x = rng.random((200, 1)) * 5
    y = 2 * np.sin(x[:, 0]) + rng.normal(size=200) * 0.3
    scores = {h: cross_val_score(NadarayaWatson(h), x, y, cv=5).mean() for h in ("cv", "sgd")}
    bad = [cross_val_score(NadarayaWatson(h), x, y, cv=5).mean() for h in (0.001, 5.0)]
    assert min(scores.values()) > max(bad)
    learned = NadarayaWatson("sgd", epochs=20).fit(x, y)
    assert len(learned.losses_) == 21 and learned.losses_[-1] < learned.losses_[0]


def test_search_and_pipelines():
    X, y = make_friedman1(200, random_state=0)
    search = GridSearchCV(NadarayaWatson(), {"bandwidth": [0.05, 0.3, 5.0]}, cv=3).fit(X, y)
    assert search.best_params_ == {"bandwidth": 0.3}
    assert make_pipeline(StandardScaler(), NadarayaWatson("cv")).fit(X, y).score(X, y) > 0.8


def test_what_is_fitted_does_not_follow_the_data(rng):
    x, y = rng.normal(size=(10, 1)), rng.normal(size=10)
    model = NadarayaWatson(1.0).fit(x, y)
    before = model.predict(x.copy())
    x[:], y[:] = 0, 0
    assert (model.predict(x) != before).any() and model.model_.x.numpy().any()


def test_scatter_and_intervals(rng):
    x = rng.random((300, 1)) * 5
    y = 2 * np.sin(x[:, 0]) + rng.normal(size=300) * 0.3
    model = NadarayaWatson("cv").fit(x, y)
    at = np.linspace(0, 5, 50)[:, None]
    f, se = model.predict(at, return_std=True)
    np.testing.assert_array_equal(f, model.predict(at))
    assert se.shape == (50,) and (0 < se).all() and (se < 0.3).all()
    _, lower, upper = model.predict(at, interval="curve")
    truth = 2 * np.sin(at[:, 0])
    assert ((lower < truth) & (truth < upper)).mean() > 0.8
    _, low, high = model.predict(at, interval="observation", level=0.5)
    assert (high - low > 0.2).all() and (high - low < 1).all()
    with pytest.raises(ValueError, match='interval must be "curve" or "observation", found "both"'):
        model.predict(at, interval="both")
    with pytest.raises(heed.Error, match="one feature"):
        NadarayaWatson(1.0).fit(np.c_[x, x], y).predict(np.c_[at, at], interval="curve")


def test_errors():
    x, y = np.zeros((3, 2)), np.zeros(3)
    with pytest.raises(ValueError, match='bandwidth must be a number, "cv" or "sgd", found "best"'):
        NadarayaWatson("best").fit(x, y)
    with pytest.raises(heed.Error, match="bandwidth"):
        NadarayaWatson(-1.0).fit(x, y)


def test_docstring():
    globs = {"np": np, "NadarayaWatson": NadarayaWatson}
    test = doctest.DocTestParser().get_doctest(NadarayaWatson.__doc__, globs, "NadarayaWatson", None, None)
    out = []
    result = doctest.DocTestRunner().run(test, out=out.append)
    assert result.attempted == 2 and result.failed == 0, "".join(out)


def test_nothing_given_is_lost():
    x, y = np.arange(6.0)[:, None], np.arange(6.0)
    masked = np.ma.array(x, mask=[[True], *[[False]] * 5])
    for call in (lambda: NadarayaWatson(1.0).fit(masked, y), lambda: NadarayaWatson(1.0).fit(x, masked[:, 0])):
        with pytest.raises(heed.Error, match="has masked entries"):
            call()
    with pytest.raises(ValueError) as caught:
        NadarayaWatson("x" * 10**6).fit(x, y)
    assert len(str(caught.value)) < 200
