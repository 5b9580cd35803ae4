// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Places far from all points, outliers and units of any size: however the data lie, what counts are the differences
// between them.
#include "regression/plain.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

/// On as many places as a batch needs to take the road of many rows.
Tensor repeated(double place, std::int64_t count, Dtype dtype) { return full({count}, place, dtype); }

TEST(FarPlaces, TakeTheNearestPointInBatchesOfAnySize) {
  const std::vector<double> x = {1, 2, 3, 4}, y = {10, 20, 30, 45};
  for (const Dtype dtype : {f32, f64}) {
    const KernelRegression model(from_vector(x, {4}).to(dtype), from_vector(y, {4}).to(dtype), 1);
    for (const std::int64_t count : {1, 8, 9, 200}) {
      for (const double place : {1e3, 1e6, 1e10, 1e18, 1e30}) {
        for (const double f : model.predict(repeated(place, count, dtype)).to_vector()) EXPECT_EQ(f, 45);
        for (const double f : model.predict(repeated(-place, count, dtype)).to_vector()) EXPECT_EQ(f, 10);
      }
    }
  }
}

/// From far away the nearest of a cluster are told apart by differences a billion times smaller than the distance.
TEST(FarPlaces, TellPointsApartByTheirDifferences) {
  const std::int64_t n = 40;
  std::vector<double> x, y;
  for (std::int64_t i = 0; i < n; ++i) {
    x.push_back(static_cast<double>(i) * 0x1p-30);
    y.push_back(std::sin(static_cast<double>(i)));
  }
  const double place = 0x1p30, h = 1;
  // Relative to the last point, whose score is the largest, scores are (x_i - x_last) (2 place - x_i - x_last) / 2.
  long double total = 0, mean = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double back = static_cast<long double>(x.back()) - x[i];
    const long double p = std::exp(-back * (2 * (place - static_cast<long double>(x.back())) + back) / 2);
    total += p;
    mean += p * y[i];
  }
  const KernelRegression model(from_vector(x, {n}), from_vector(y, {n}), h);
  const auto expected = static_cast<double>(mean / total);
  for (const std::int64_t count : {1, 9})
    for (const double f : model.predict(repeated(place, count, f64)).to_vector())
      EXPECT_NEAR(f, expected, 1e-9);
}

TEST(FarPlaces, OfSeveralFeaturesToo) {
  const Tensor x = tensor({{0, 0}, {1, 0}, {0, 1}, {1, 1}}, f64), y = tensor({1, 2, 3, 4}, f64);
  const KernelRegression model(x, y, 0.5);
  std::vector<double> places;
  for (int i = 0; i < 10; ++i) places.insert(places.end(), {1e11, -1e11});
  for (const double f : model.predict(from_vector(places, {10, 2})).to_vector()) EXPECT_EQ(f, 2);
}

/// One point far from the rest must not decide how the rest is seen.
TEST(Outliers, DoNotChangeTheBandwidth) {
  const std::int64_t n = 60;
  const Points points = wavy_points(n, 1, f64);
  const Tensor y = points.y.slice(1, {.stop = 1});
  const double h = cross_validated_bandwidth(points.x, y).item();
  for (const Dtype dtype : {f32, f64}) {
    for (const double outlier : {-99999.0, 1e5, 1e12, -1e18}) {
      SCOPED_TRACE(outlier);
      const Tensor x_with = cat({points.x, full({1, 1}, outlier, f64)}).to(dtype);
      const Tensor y_with = cat({y, full({1, 1}, 0.5, f64)}).to(dtype);
      const Tensor found = cross_validated_bandwidth(x_with, y_with);
      EXPECT_NEAR(found.item(), h, 0.05 * h);
      const KernelRegression model(x_with, y_with, found);
      const Tensor left_out = model.leave_one_out();
      const Tensor se = model.standard_error(x_with, y_with - left_out);
      for (const double entry : cat({left_out, se}).to_vector()) EXPECT_TRUE(std::isfinite(entry));
    }
  }
}

TEST(Units, OfAnySizeGiveTheSameBandwidth) {
  const Points points = wavy_points(60, 1, f64);
  const Tensor y = points.y.slice(1, {.stop = 1});
  const double h = cross_validated_bandwidth(points.x, y).item();
  const double learned = learned_bandwidth(points.x, y, {.epochs = 10}).bandwidth.item();
  for (const double unit : {1e-200, 1e200}) {
    SCOPED_TRACE(unit);
    EXPECT_NEAR(cross_validated_bandwidth(points.x * unit, y).item() / unit, h, 1e-9 * h);
    EXPECT_NEAR(cross_validated_bandwidth(points.x, y * unit).item(), h, 1e-9 * h);
    EXPECT_NEAR(learned_bandwidth(points.x * unit, y * unit, {.epochs = 10}).bandwidth.item() / unit, learned,
                1e-9 * learned);
  }
  EXPECT_NEAR(cross_validated_bandwidth(points.x + 0x1p20, y).item(), h, 1e-6 * h);
  // An offset of 1e12 leaves y with a step of 1e-4.
  EXPECT_NEAR(cross_validated_bandwidth(points.x, y + 1e12).item(), h, 1e-2 * h);
}

TEST(Units, PowersOfTwoChangeNoBit) {
  const Points points = wavy_points(50, 2, f64);
  const double unit = 0x1p100;
  const Tensor h = cross_validated_bandwidth(points.x, points.y);
  const Tensor wide = cross_validated_bandwidth(points.x * unit, points.y / unit);
  EXPECT_EQ((wide / unit).to_vector(), h.to_vector());
  const KernelRegression model(points.x, points.y, h), other(points.x * unit, points.y / unit, wide);
  const Tensor at = points.x + 0.01;
  EXPECT_EQ((other.predict(at * unit) * unit).to_vector(), model.predict(at).to_vector());
}

TEST(Units, OfAnySizeGiveTheSameCurve) {
  const Points points = wavy_points(40, 1, f64);
  const double h = 0.1;
  const KernelRegression model(points.x, points.y, h);
  const Tensor left_out = model.leave_one_out(), se = model.standard_error(points.x, points.y - left_out);
  const GoodnessOfFit fit = goodness_of_fit(points.y, left_out);
  for (const double unit : {1e-300, 1e-200, 1e150, 1e300}) {
    SCOPED_TRACE(unit);
    const Tensor x = points.x * unit, y = points.y * unit;
    const KernelRegression other(x, y, h * unit);
    const Tensor others = other.leave_one_out();
    const Tensor errors = other.standard_error(x, y - others) / unit;
    for (std::int64_t i = 0; i < 40; ++i) {
      EXPECT_NEAR(others.at({i, 0}) / unit, left_out.at({i, 0}), 1e-9);
      EXPECT_NEAR(errors.at({i, 1}), se.at({i, 1}), 1e-9);
    }
    EXPECT_NEAR(goodness_of_fit(y, others).r_squared.at({0}), fit.r_squared.at({0}), 1e-9);
  }
}

TEST(Warnings, NameWhatIsDegenerateAndTheRemedy) {
  const auto n = std::int64_t{30};
  // Every row twice: each point is best predicted by its twin.
  const Points points = wavy_points(n, 1, f64);
  const Tensor twice_x = cat({points.x, points.x}), once_y = points.y.slice(1, {.stop = 1});
  const Tensor twice_y = cat({once_y, once_y});
  const KernelRegression twice(twice_x, twice_y, cross_validated_bandwidth(twice_x, twice_y));
  const std::vector<std::string> narrow = twice.warnings({"age"});
  ASSERT_FALSE(narrow.empty());
  EXPECT_NE(narrow[0].find("the bandwidth of 'age' is at the low end"), std::string::npos) << narrow[0];
  const KernelRegression flat(points.x, once_y, kInf);
  ASSERT_EQ(flat.warnings().size(), 1u);
  EXPECT_NE(flat.warnings()[0].find("the bandwidth of x column 0 is at the high end"), std::string::npos);
  const KernelRegression close(points.x, once_y, 0.02);
  ASSERT_EQ(close.warnings().size(), 1u);
  EXPECT_NE(close.warnings()[0].find("degrees of freedom for 30 points"), std::string::npos);
  EXPECT_TRUE(KernelRegression(points.x, once_y, 0.3).warnings().empty());
}

TEST(Leverage, IsTheDiagonalOfTheWeights) {
  const Points points = wavy_points(30, 2, f64);
  for (const double h : {1e-9, 0.1, 1.0, kInf}) {
    const KernelRegression model(points.x, points.y, h);
    const Plain plain{rows_of(points.x), rows_of(points.y), {h, h}};
    const Tensor leverage = model.leverage();
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_NEAR(leverage.at({static_cast<std::int64_t>(i)}), plain.weights(plain.x[i], Plain::kNone)[i],
                  1e-12);
    }
    EXPECT_NEAR(model.degrees_of_freedom(), sum(leverage).item(), 1e-9);
  }
}

TEST(Bandwidths, AreNotRoundedToTheTypeOfTheData) {
  const KernelRegression model(tensor({1, 2}), tensor({1, 2}), 0.05);
  EXPECT_EQ(model.bandwidth().item(), 0.05);
}

}  // namespace
}  // namespace heed::test
