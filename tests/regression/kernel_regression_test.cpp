// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Predictions, leave-one-out predictions and standard errors, against plain loops; and what happens at the edges.
#include "regression/plain.h"
#include "support/errors.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

struct Case {
  std::int64_t n, features;
  Dtype dtype;
  double bandwidth;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.n << " points of " << c.features << " features, " << name(c.dtype) << ", h = " << c.bandwidth;
}

class KernelRegressionTest : public testing::TestWithParam<Case> {
 protected:
  /// Relative to numbers of about 10.
  double tolerance() const { return GetParam().dtype == f32 ? 2e-5 : 1e-12; }
};

TEST_P(KernelRegressionTest, MeetsPlainLoops) {
  const Case& c = GetParam();
  const Points points = wavy_points(c.n, c.features, c.dtype);
  const KernelRegression model(points.x, points.y, c.bandwidth);
  const Plain plain{rows_of(points.x), rows_of(points.y),
                    std::vector<double>(static_cast<std::size_t>(c.features), c.bandwidth)};
  const Tensor at = wavy_points(7, c.features, c.dtype).x * 1.7;
  const Tensor f = model.predict(at), left_out = model.leave_one_out();
  const Tensor se = model.standard_error(at, points.y - left_out);
  for (std::int64_t m = 0; m < 2; ++m) {
    const auto output = static_cast<std::size_t>(m);
    for (std::int64_t i = 0; i < 7; ++i) {
      const std::vector<double> place = at[i].to_vector();
      EXPECT_NEAR(f.at({i, m}), plain.predict(place, output), tolerance()) << i;
      EXPECT_NEAR(se.at({i, m}), plain.standard_error(place, output), 10 * tolerance()) << i;
    }
    for (std::int64_t i = 0; i < c.n; ++i) {
      const auto row = static_cast<std::size_t>(i);
      EXPECT_NEAR(left_out.at({i, m}), plain.predict(plain.x[row], output, row), tolerance()) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, KernelRegressionTest,
                         testing::Values(Case{2, 1, f64, 0.3}, Case{3, 1, f64, 0.01}, Case{40, 1, f64, 0.1},
                                         Case{40, 1, f64, 50}, Case{40, 1, f64, kInf}, Case{97, 3, f64, 0.4},
                                         Case{40, 1, f32, 0.1}, Case{97, 2, f32, 0.4}));

TEST(KernelRegression, ColumnsMayLackADimension) {
  const Tensor x = tensor({51, 56, 58}), y = tensor({40, 43, 48});
  const KernelRegression model(x, y, 1);
  EXPECT_EQ(model.predict(tensor({57})).shape(), (Shape{1, 1}));
  EXPECT_NEAR(model.predict(tensor({57})).item(), 45.5, 1e-4);
  EXPECT_EQ(model.bandwidth().shape(), (Shape{1}));
  EXPECT_EQ(model.predict(zeros({0, 1})).shape(), (Shape{0, 1}));
  EXPECT_EQ(model.standard_error(zeros({0, 1}), y).shape(), (Shape{0, 1}));
}

TEST(KernelRegression, OwnBandwidths) {
  const Tensor x = tensor({{0, 0}, {0, 9}, {5, 0}, {5, 9}}, f64), y = tensor({1, 2, 3, 4}, f64);
  // The first feature decides; the second counts for nothing.
  const KernelRegression model(x, y, from_vector(std::vector<double>{0.1, kInf}, {2}));
  EXPECT_NEAR(model.predict(tensor({{0, 4}}, f64)).item(), 1.5, 1e-12);
  EXPECT_NEAR(model.leave_one_out().at({0, 0}), 2, 1e-12);
}

TEST(KernelRegression, EqualPointsShareTheirValues) {
  const Tensor x = tensor({1, 1, 1, 2}, f64), y = tensor({3, 5, 10, 0}, f64);
  const KernelRegression model(x, y, 0.01);
  EXPECT_NEAR(model.predict(tensor({1}, f64)).item(), 6, 1e-12);
  EXPECT_NEAR(model.leave_one_out().at({0, 0}), 7.5, 1e-12);
  EXPECT_NEAR(model.leave_one_out().at({3, 0}), 6, 1e-12);
}

TEST(KernelRegression, ConstantX) {
  const KernelRegression model(full({4}, 7, f64), tensor({1, 2, 3, 6}, f64), 0.5);
  EXPECT_NEAR(model.predict(tensor({7}, f64)).item(), 3, 1e-12);
  EXPECT_NEAR(model.predict(tensor({1e6}, f64)).item(), 3, 1e-9);
  EXPECT_NEAR(model.leave_one_out().at({3, 0}), 2, 1e-12);
}

TEST(KernelRegression, OnePoint) {
  const KernelRegression model(tensor({1}, f64), tensor({5}, f64), 1);
  EXPECT_EQ(model.predict(tensor({{-3}, {1e9}}, f64)).to_vector(), (std::vector<double>{5, 5}));
  EXPECT_TRUE(std::isnan(model.leave_one_out().item()));
}

/// So far away in bandwidths that every score overflows, it is still the nearest point that counts.
TEST(KernelRegression, FarFromAllPointsTheNearestCount) {
  for (const Dtype dtype : {f32, f64}) {
    const Tensor x = tensor({0, 1, 1, 5}, dtype), y = tensor({10, 20, 30, 40}, dtype);
    for (const double h : {1e-2, 1e-6, 1e-25, dtype == f32 ? 1e-37 : 1e-300}) {
      SCOPED_TRACE(h);
      const KernelRegression model(x, y, h);
      EXPECT_TRUE(near(model.predict(tensor({-7, 2, 9000, 0}, dtype)), {10, 25, 40, 10}, 1e-6));
      EXPECT_TRUE(near(model.leave_one_out(), {25, 30, 20, 25}, 1e-6));
      const Tensor residuals = tensor({1, 2, 2, 3}, dtype);
      EXPECT_TRUE(
          near(model.standard_error(tensor({-7, 2, 9000}, dtype), residuals), {1, std::sqrt(2), 3}, 1e-6));
    }
  }
}

TEST(KernelRegression, NanInAPlaceGivesNanThereAlone) {
  const KernelRegression model(tensor({0, 1}, f64), tensor({10, 20}, f64), 1);
  const std::vector<double> f = model.predict(tensor({std::nan(""), 0.5}, f64)).to_vector();
  EXPECT_TRUE(std::isnan(f[0]));
  EXPECT_NEAR(f[1], 15, 1e-12);
}

TEST(KernelRegression, MemoryIsLinear) {
  constexpr std::int64_t n = 6000;
  const Points points = wavy_points(n, 1, f64);
  const KernelRegression model(points.x, points.y, 0.1);
  reset_peak_memory();
  const std::size_t before = memory_use().current;
  const Tensor residuals = points.y - model.leave_one_out();
  model.standard_error(points.x.slice(0, {.stop = 1000}), residuals);
  const std::size_t weights = n * n * sizeof(double);
  EXPECT_LT(memory_use().peak - before, weights / 5);
}

TEST(KernelRegression, Errors) {
  const Tensor x = tensor({{1}, {2}}, f64), y = tensor({1, 2}, f64);
  const KernelRegression model(x, y, 1);
  expect_errors({
      {[&] { KernelRegression(x, y, 0.0); }, "bandwidth must be positive, found 0"},
      {[&] { KernelRegression(x, y, std::nan("")); }, "bandwidth must be positive, found nan"},
      {[&] {
         KernelRegression(x, y, tensor({1, 2}, f64));
       },
       "bandwidth must be a number or (1,), found (2,)"},
      {[&] { KernelRegression(x, tensor({1}, f64), 1); }, "x (2, 1) and y (1,) must have as many rows"},
      {[&] { KernelRegression(x, y.to(f32), 1); }, "y must be f64"},
      {[&] { KernelRegression(x.to(i64), y, 1); }, "x must be f32 or f64"},
      {[&] {
         KernelRegression(zeros({0, 1}), zeros({0}), 1);
       },
       "at least one point, found (0, 1)"},
      {[&] {
         KernelRegression(zeros({2, 0}), zeros({2}), 1);
       },
       "at least one point, found (2, 0)"},
      {[&] {
         KernelRegression(zeros({2, 1, 1}), zeros({2}), 1);
       },
       "x must be (n,) or (n, D), found (2, 1, 1)"},
      {[&] {
         KernelRegression(x, tensor({1, kInf}, f64), 1);
       },
       "y[1, 0] is inf, expected a finite number"},
      {[&] {
         model.predict(zeros({1, 2}, f64));
       },
       "at must be (rows, 1), found (1, 2)"},
      {[&] {
         model.predict(zeros({1, 1}));
       },
       "at must be f64"},
      {[&] { model.standard_error(x, zeros({3}, f64)); }, "residuals must have 2 rows, found (3, 1)"},
      {[&] { goodness_of_fit(y, zeros({3}, f64)); }, "predictions (3, 1) must have the shape of y (2, 1)"},
  });
}

TEST(GoodnessOfFit, IsOneForAPerfectFitAndNothingForAConstant) {
  const Tensor y = tensor({{1, 0.1}, {2, 0.1}, {6, 0.1}}, f64);
  const GoodnessOfFit perfect = goodness_of_fit(y, y);
  EXPECT_EQ(perfect.r_squared.at({0}), 1);
  EXPECT_TRUE(std::isnan(perfect.r_squared.at({1})));
  EXPECT_EQ(perfect.mean_squared_error.to_vector(), (std::vector<double>{0, 0}));
  const GoodnessOfFit average = goodness_of_fit(y, full({3, 2}, 3, f64));
  EXPECT_NEAR(average.r_squared.at({0}), 0, 1e-12);
  EXPECT_NEAR(average.mean_squared_error.at({0}), 14.0 / 3, 1e-12);
}

}  // namespace
}  // namespace heed::test
