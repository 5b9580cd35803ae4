// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How bandwidths are chosen.
#include "regression/leave_one_out.h"
#include "regression/line_search.h"
#include "regression/plain.h"
#include "support/errors.h"
#include "support/gradcheck.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

Points first_output(const Points& points) { return {points.x, points.y.slice(1, {.stop = 1})}; }

double left_out_error(const Points& points, const Tensor& bandwidth) {
  const KernelRegression model(points.x, points.y, bandwidth);
  return goodness_of_fit(points.y, model.leave_one_out()).mean_squared_error.at({0});
}

TEST(CrossValidation, FindsTheLeastErrorOfAFineGrid) {
  for (const Dtype dtype : {f32, f64}) {
    const Points points = first_output(wavy_points(60, 1, dtype));
    const Tensor h = cross_validated_bandwidth(points.x, points.y);
    EXPECT_EQ(h.dtype(), f64) << "whatever the type of the data";
    Plain plain{rows_of(points.x), rows_of(points.y), {h.item()}};
    const double found = plain.left_out_error(0);
    double least = found;
    for (double log_h = -6; log_h < 3; log_h += 0.02) {
      plain.h = {std::exp(log_h)};
      least = std::min(least, plain.left_out_error(0));
    }
    EXPECT_LE(found, least * 1.0005);
  }
}

TEST(CrossValidation, FollowsTheUnitsOfX) {
  const Points points = first_output(wavy_points(50, 1, f64));
  const double h = cross_validated_bandwidth(points.x, points.y).item();
  const double large = cross_validated_bandwidth(points.x * 1e6 + 1e3, points.y * 1e-4).item();
  EXPECT_NEAR(large / h, 1e6, 1e6 * 1e-2);
}

TEST(CrossValidation, AFeatureOfNoUseCountsForNothing) {
  const Points points = first_output(wavy_points(150, 2, f64));
  const std::vector<double> h = cross_validated_bandwidth(points.x, points.y).to_vector();
  const double alone = cross_validated_bandwidth(points.x.slice(1, {.stop = 1}), points.y).item();
  EXPECT_GT(h[1], 1) << "the feature goes from 0 to 1";
  EXPECT_NEAR(h[0], alone, 0.3 * alone);
}

TEST(CrossValidation, WithoutAnythingToLearnItIsTheMean) {
  const Tensor x = wavy_points(30, 1, f64).x, noise = wavy_points(60, 3, f64).x.slice(1, {.start = 2});
  const double h = cross_validated_bandwidth(x, noise.slice(0, {.start = 30})).item();
  EXPECT_GT(h, 1);
  EXPECT_TRUE(std::isinf(cross_validated_bandwidth(full({5}, 3, f64), tensor({1, 2, 3, 4, 5}, f64)).item()));
  EXPECT_TRUE(std::isinf(cross_validated_bandwidth(tensor({1, 2, 3}, f64), full({3}, 0.1, f64)).item()));
}

TEST(CrossValidation, ConstantFeatureBesideAGoodOne) {
  const Points points = first_output(wavy_points(40, 1, f64));
  const Tensor x = cat({points.x, full({40, 1}, 2, f64)}, 1);
  const std::vector<double> h = cross_validated_bandwidth(x, points.y).to_vector();
  EXPECT_TRUE(std::isinf(h[1]));
  EXPECT_EQ(h[0], cross_validated_bandwidth(points.x, points.y).item());
}

TEST(CrossValidation, DuplicatesAndOutliersStayFinite) {
  const Tensor x = tensor({1, 1, 2, 2, 3, 3, 1e9}, f64), y = tensor({1, 1.2, 4, 4.1, 9, 9.2, 50}, f64);
  const Tensor h = cross_validated_bandwidth(x, y);
  EXPECT_TRUE(std::isfinite(left_out_error({x, y.unsqueeze(1)}, h)));
  EXPECT_LT(h.item(), 1);
}

TEST(CrossValidation, TwoPoints) {
  const Tensor h = cross_validated_bandwidth(tensor({1, 2}, f64), tensor({5, 7}, f64));
  EXPECT_GT(h.item(), 0);
}

TEST(CrossValidation, OutputsOfAnyScaleCountAlike) {
  const Points points = wavy_points(60, 1, f64);
  const double h = cross_validated_bandwidth(points.x, points.y).item();
  const Tensor scaled = points.y * tensor({1e-3, 1e5}, f64);
  EXPECT_NEAR(cross_validated_bandwidth(points.x, scaled).item(), h, 1e-6 * h);
}

TEST(CrossValidation, TellsHowFarItIs) {
  const Points points = first_output(wavy_points(20, 2, f64));
  std::int64_t calls = 0;
  double error = 1e300;
  cross_validated_bandwidth(points.x, points.y, [&](const BandwidthProgress& p) {
    EXPECT_EQ(p.done, ++calls);
    EXPECT_LE(p.done, p.at_most);
    EXPECT_LE(p.error, error);
    error = p.error;
  });
  EXPECT_GT(calls, 20);
}

TEST(LearnedBandwidth, GoesDownhillToTheSamePlace) {
  const Points points = first_output(wavy_points(80, 1, f64));
  const LearnedBandwidth learned = learned_bandwidth(points.x, points.y, {.epochs = 300});
  ASSERT_EQ(learned.losses.size(), 301u);
  for (std::size_t i = 1; i < learned.losses.size(); ++i) EXPECT_LE(learned.losses[i], learned.losses[i - 1]);
  EXPECT_LT(learned.losses.back(), 0.9 * learned.losses.front());
  const double best = left_out_error(points, cross_validated_bandwidth(points.x, points.y));
  EXPECT_LE(left_out_error(points, learned.bandwidth), 1.02 * best);
}

TEST(LearnedBandwidth, FollowsTheUnits) {
  const Points points = first_output(wavy_points(50, 1, f64));
  const double h = learned_bandwidth(points.x, points.y).bandwidth.item();
  EXPECT_NEAR(learned_bandwidth(points.x * 1000, points.y * 30).bandwidth.item(), 1000 * h, 1e-6 * 1000 * h);
}

TEST(LearnedBandwidth, ConstantFeatureAndOutput) {
  const Tensor x = cat({wavy_points(10, 1, f64).x, ones({10, 1}, f64)}, 1);
  const LearnedBandwidth learned = learned_bandwidth(x, full({10}, 3, f64), {.epochs = 3});
  EXPECT_TRUE(std::isfinite(learned.bandwidth.at({0})));
  EXPECT_TRUE(std::isinf(learned.bandwidth.at({1})));
}

TEST(LeftOut, GradientOfTheWidth) {
  const Points points = wavy_points(17, 2, f64);
  const auto values = [&](const std::vector<Tensor>& inputs) {
    return regression::left_out({points.x, points.y}, Gaussian{.w = inputs[0]}).values;
  };
  EXPECT_TRUE(gradients_match(values, {tensor({3.0, 1.5}, f64)}));
}

TEST(Bandwidth, Errors) {
  const Tensor one = tensor({1}, f64), two = tensor({1, 2}, f64);
  expect_errors({
      {[&] { cross_validated_bandwidth(one, one); }, "needs at least 2 points to leave one out, found 1"},
      {[&] { learned_bandwidth(one, one); }, "needs at least 2 points to leave one out, found 1"},
      {[&] {
         cross_validated_bandwidth(two, tensor({1, std::nan("")}, f64));
       },
       "y[1, 0] is nan"},
      {[&] { learned_bandwidth(two, two, {.epochs = -1}); }, "epochs must not be negative"},
      {[&] { learned_bandwidth(two, two, {.lr = 0}); }, "lr must be positive and finite, found 0"},
  });
}

TEST(LineSearch, FindsTheDeepestOfSeveralValleys) {
  const auto f = [](double t) { return std::cos(3 * t) + 0.1 * t; };
  const regression::Interval interval{.low = 0, .high = 10, .step = 0.5, .tolerance = 1e-4};
  std::int64_t calls = 0;
  const regression::Least least = regression::least_of(
      [&](double t) {
        ++calls;
        return f(t);
      },
      interval);
  EXPECT_NEAR(least.place, (std::acos(-1.0) - std::asin(0.1 / 3)) / 3, 1e-3);
  EXPECT_EQ(least.value, f(least.place));
  EXPECT_LE(calls, regression::most_calls(interval));
}

TEST(LineSearch, TakesTheLargerOfEqualPlaces) {
  const regression::Interval interval{.low = 0, .high = 4, .step = 1, .tolerance = 0.01};
  EXPECT_EQ(regression::least_of([](double) { return 1.0; }, interval).place, 4);
}

}  // namespace
}  // namespace heed::test
