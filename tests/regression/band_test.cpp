// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Local polynomials and bands: laws, and coverage over simulations.
#include "regression/plain.h"
#include "support/errors.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <random>

namespace heed::test {
namespace {

TEST(LocalFit, OfDegreeZeroIsThePrediction) {
  const Points points = wavy_points(50, 1, f64);
  for (const double h : {0.01, 0.1, 3.0, kInf}) {
    const KernelRegression model(points.x, points.y, h);
    const Tensor at = points.x * 1.4 - 0.3;
    EXPECT_TRUE(near(model.local_fit(at, 0).value, model.predict(at).to_vector(), 1e-9)) << h;
  }
}

/// A polynomial of the degree is met exactly, with its slope, however the points lie.
TEST(LocalFit, MeetsAPolynomialOfItsDegree) {
  const Tensor x = wavy_points(60, 1, f64).x;
  const auto curve = [](const Tensor& t, int degree) {
    Tensor y = 2 - t;
    if (degree > 1) y = y + 3 * t * t;
    if (degree > 2) y = y - 2 * t * t * t;
    return y;
  };
  const auto slope = [](const Tensor& t, int degree) {
    Tensor y = full(t.shape(), -1, f64);
    if (degree > 1) y = y + 6 * t;
    if (degree > 2) y = y - 6 * t * t;
    return y;
  };
  for (const double unit : {1.0, 1e-150, 1e100}) {
    for (int degree = 1; degree <= 3; ++degree) {
      const KernelRegression model(x * unit, curve(x, degree), 0.4 * unit);
      const Tensor at = linspace(-0.2, 2.2, 13, f64).unsqueeze(1);
      const LocalFit fit = model.local_fit(at * unit, degree);
      EXPECT_TRUE(near(fit.value, curve(at, degree).to_vector(), 1e-9)) << degree;
      EXPECT_TRUE(near(fit.slope * unit, slope(at, degree).to_vector(), 1e-8)) << degree;
    }
  }
}

/// Weighted least squares in powers, by the normal equations in long double.
TEST(LocalFit, IsTheLeastSquaresFit) {
  const Points points = wavy_points(40, 1, f64);
  const std::vector<double> x = points.x.to_vector(), y = points.y.slice(1, {.stop = 1}).to_vector();
  const double h = 0.3;
  const KernelRegression model(points.x, points.y.slice(1, {.stop = 1}), h);
  for (const double place : {0.0, 0.7, 2.0}) {
    long double s[3] = {}, t[2] = {};
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double u = x[i] - place, w = std::exp(-u * u / (2 * h * h));
      for (int k = 0; k < 3; ++k) s[k] += w * std::pow(u, k);
      for (int k = 0; k < 2; ++k) t[k] += w * y[i] * std::pow(u, k);
    }
    const long double determinant = s[2] * s[0] - s[1] * s[1];
    const LocalFit fit = model.local_fit(tensor({place}, f64), 1);
    EXPECT_NEAR(fit.value.item(), static_cast<double>((s[2] * t[0] - s[1] * t[1]) / determinant), 1e-12);
    EXPECT_NEAR(fit.slope.item(), static_cast<double>((s[0] * t[1] - s[1] * t[0]) / determinant), 1e-11);
  }
}

TEST(LocalFit, LowersItsDegreeWhereTooFewPointsCount) {
  const KernelRegression model(tensor({0, 1, 1, 5}, f64), tensor({10, 20, 30, 40}, f64), 1e-3);
  const LocalFit fit = model.local_fit(tensor({-7, 1, 2, 9000}, f64), 2);
  EXPECT_TRUE(near(fit.value, {10, 25, 25, 40}, 1e-9));
  EXPECT_TRUE(near(fit.effective_points, {1, 2, 2, 1}, 1e-9));
  const KernelRegression equal(full({5}, 2, f64), tensor({1, 2, 3, 4, 5}, f64), 1);
  EXPECT_TRUE(near(equal.local_fit(tensor({2, 1e300}, f64), 3).value, {3, 3}, 1e-12));
}

struct Truth {
  const char* name;
  double low, high;
  double (*f)(double);
  double noise;
};

/// How often bands hold the curve, and a new observation, at the ends, a quarter in, and the middle.
struct Coverage {
  std::vector<double> curve, observation;
};
Coverage coverage(const Truth& truth, std::int64_t n, int runs) {
  std::mt19937_64 bits(11);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
  };
  std::vector<double> places;
  for (const double share : {0.0, 0.25, 0.5, 1.0})
    places.push_back(truth.low + share * (truth.high - truth.low));
  Coverage held{std::vector<double>(4), std::vector<double>(4)};
  for (int run = 0; run < runs; ++run) {
    std::vector<double> x, y;
    for (std::int64_t i = 0; i < n; ++i) {
      x.push_back(truth.low + uniform() * (truth.high - truth.low));
      y.push_back(truth.f(x.back()) + truth.noise * normal());
    }
    const Tensor xs = from_vector(x, {n}), ys = from_vector(y, {n}), at = from_vector(places, {4});
    const KernelRegression model(xs, ys, cross_validated_bandwidth(xs, ys));
    const Band curve = model.band(at), single = model.band(at, {.of = BandOptions::Of::kNewObservation});
    for (std::size_t p = 0; p < places.size(); ++p) {
      const auto holds = [&](const Band& band, double target) {
        const auto row = static_cast<std::int64_t>(p);
        return (band.lower.at({row, 0}) <= target && target <= band.upper.at({row, 0}) ? 1.0 : 0.0) / runs;
      };
      held.curve[p] += holds(curve, truth.f(places[p]));
      held.observation[p] += holds(single, truth.f(places[p]) + truth.noise * normal());
    }
  }
  return held;
}

TEST(Band, CoversAtTheEndsToo) {
  const Truth wave{"a wave", 0, 1, [](double x) { return std::sin(6.283185307179586 * x); }, 0.3};
  const Truth notes{"the notes'", 0, 5, [](double x) { return 2 * std::sin(x) + std::pow(x, 0.8); }, 0.5};
  for (const Truth& truth : {wave, notes}) {
    SCOPED_TRACE(truth.name);
    const Coverage held = coverage(truth, 300, 300);
    // Of 300 runs, 0.95 within three standard deviations is 0.912 to 0.988.
    for (const auto& shares : {held.curve, held.observation}) {
      for (const double share : shares) {
        EXPECT_GE(share, 0.91);
        EXPECT_LE(share, 0.99);
      }
    }
  }
}

TEST(Band, WidensWithItsLevelAndForANewObservation) {
  const Points points = wavy_points(80, 1, f64);
  const KernelRegression model(points.x, points.y, 0.2);
  const Tensor at = tensor({0, 1, 2}, f64);
  const Band half = model.band(at, {.level = 0.5}), most = model.band(at),
             single = model.band(at, {.of = BandOptions::Of::kNewObservation});
  EXPECT_GT(min(most.upper - half.upper).item(), 0);
  EXPECT_GT(min(single.upper - most.upper).item(), 0);
  EXPECT_GT(min(half.lower - most.lower).item(), 0);
  // All 80 points count: Student's quantiles for 48 degrees of freedom, from a table.
  const KernelRegression even(points.x, points.y, kInf);
  const Band wide = even.band(at), narrow = even.band(at, {.level = 0.5});
  const Tensor ratio = (wide.upper - wide.lower) / (narrow.upper - narrow.lower);
  EXPECT_NEAR(ratio.at({0, 0}), 2.010635 / 0.679635, 1e-4);
}

TEST(Band, Errors) {
  const Tensor x = tensor({1, 2, 3}, f64), y = tensor({1, 2, 4}, f64);
  const KernelRegression model(x, y, 1), plane(stack({x, y}, 1), y, 1);
  expect_errors({
      {[&] { model.band(x, {.level = 1}); }, "level must lie between 0 and 1, found 1"},
      {[&] { model.local_fit(x, 4); }, "degree must be 0 to 3, found 4"},
      {[&] {
         plane.band(stack({x, y}, 1));
       },
       "band needs one feature, found 2"},
      {[&] {
         plane.local_fit(stack({x, y}, 1), 1);
       },
       "local_fit needs one feature, found 2"},
  });
}

}  // namespace
}  // namespace heed::test
