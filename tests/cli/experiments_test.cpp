// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of the tour's experiments; where they are random, the laws they obey.
#include "tour/additive.h"
#include "tour/attention_layer.h"
#include "tour/bmm.h"
#include "tour/dot_product.h"
#include "tour/dropout.h"
#include "tour/masked_softmax.h"
#include "tour/multi_head.h"
#include "tour/order.h"
#include "tour/positions.h"
#include "tour/regression.h"
#include "tour/sample.h"
#include "tour/self_attention.h"
#include "tour/waist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace heed::tour {
namespace {

constexpr std::uint64_t kSeed = 0;  // what the command uses unless told otherwise
constexpr std::uint64_t kSeeds[] = {0, 1, 2, 3, 4};

double max_difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

void expect_near(const Tensor& found, const Tensor& expected, double tolerance) {
  ASSERT_EQ(found.shape(), expected.shape());
  EXPECT_LE(max_difference(found, expected), tolerance) << found << "\nexpected\n" << expected;
}

void expect_rows_sum_to_one(const Tensor& weights) {
  const Tensor sums = sum(weights, -1);
  EXPECT_LE(max_difference(sums, ones_like(sums)), 1e-6) << weights;
}

TEST(Tour, WaistIsBetweenItsNeighbours) {
  const Waist waist = run_waist();
  expect_near(waist.weights, tensor({0, 0.5, 0.5}), 1e-6);
  const double far = std::exp(-18) / (std::exp(-18) + 2 * std::exp(-0.5));
  EXPECT_NEAR(waist.weights.at({0}), far, 3 * 0x1p-24 * (1 + 18) * far);  // a score of 18 in f32
  EXPECT_NEAR(waist.prediction, 45.5, 1e-4);
}

TEST(Tour, SampleOfTwoDimensions) {
  const Sample sample = run_sample();
  expect_near(sample.scores, tensor({{8717, 9998, 9998}, {8125, 9312, 9312}}), 0);
  expect_near(sample.product, tensor({{1258498, 4560493}, {1172392, 4248527}}), 0);
  for (const Pooled& pooled : {sample.dot, sample.scaled}) {
    expect_near(pooled.weights, tensor({{0, 0.5, 0.5}, {0, 0.5, 0.5}}), 1e-9);
    expect_near(pooled.output, tensor({{45.5, 160.5}, {45.5, 160.5}}), 1e-9);
  }
  const double e = std::exp(-1.281), share = e / (e + 2);
  EXPECT_NEAR(sample.scaled_by_far.weights.at({0, 0}), share, 1e-5);
  expect_rows_sum_to_one(sample.scaled_by_far.weights);
}

TEST(Tour, RegressionLearnsTheWidth) {
  const Regression data = run_regression(kSeed);
  ASSERT_EQ(data.losses.size(), 6u);
  for (std::size_t i = 1; i < data.losses.size(); ++i)
    EXPECT_LT(data.losses[i], data.losses[i - 1]) << "epoch " << i;
  EXPECT_GT(data.w.back(), data.w.front());
  EXPECT_LT(data.trained.entropy, data.untrained.entropy);
  EXPECT_LT(data.trained.entropy, data.fixed.entropy);
  EXPECT_LT(data.fixed.entropy, data.average.entropy);
  EXPECT_LT(data.fixed.error, data.average.error);
  EXPECT_LT(data.trained.error, data.fixed.error);
}

TEST(Tour, RegressionDataIsThatOfTheNotes) {
  const Regression data = run_regression(kSeed);
  EXPECT_EQ(data.x_train.shape(), Shape({50}));
  EXPECT_EQ(data.x_test.shape(), Shape({50}));
  EXPECT_NEAR(data.x_test.at({49}), 4.9, 1e-5);
  const std::vector<double> x = data.x_train.to_vector();
  EXPECT_TRUE(std::is_sorted(x.begin(), x.end()));
  EXPECT_GE(x.front(), 0);
  EXPECT_LT(x.back(), 5);
  EXPECT_NEAR(data.truth.at({10}), 2 * std::sin(1) + 1, 1e-5);
  const std::vector<double> y = data.y_train.to_vector();
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    squares += std::pow(y[i] - 2 * std::sin(x[i]) - std::pow(x[i], 0.8), 2);
  EXPECT_NEAR(std::sqrt(squares / 50), 0.5, 0.2);
}

TEST(Tour, AveragePoolingIsTheMeanEverywhere) {
  for (std::uint64_t seed : kSeeds) {
    const Regression data = run_regression(seed);
    const double average = mean(data.y_train).item();
    expect_near(data.average.prediction, full({50}, average), 1e-5);
    EXPECT_NEAR(data.average.entropy, std::log(50.0), 1e-5);
  }
}

TEST(Tour, MaskedSoftmaxWeighsTheValidPart) {
  for (std::uint64_t seed : kSeeds) {
    const MaskedSoftmax result = run_masked_softmax(seed);
    const auto check = [&](const Tensor& weights, const std::vector<std::int64_t>& lengths) {
      for (std::size_t row = 0; row < 4; ++row) {
        const std::vector<double> found = weights.reshape({4, 4})[static_cast<std::int64_t>(row)].to_vector();
        const std::vector<double> scores =
            result.scores.reshape({4, 4})[static_cast<std::int64_t>(row)].to_vector();
        const auto n = static_cast<std::size_t>(lengths[row]);
        double total = 0;
        for (std::size_t j = 0; j < n; ++j) total += std::exp(scores[j]);
        for (std::size_t j = 0; j < 4; ++j) {
          if (j < n) {
            EXPECT_NEAR(found[j], std::exp(scores[j]) / total, 1e-6);
          } else {
            EXPECT_EQ(found[j], 0);
          }
        }
      }
    };
    check(result.per_batch, {2, 2, 3, 3});
    check(result.per_query, {1, 3, 2, 4});
    check(result.nothing_valid, {0, 0, 4, 4});
  }
}

TEST(Tour, BmmMultipliesBatchByBatch) {
  const Bmm result = run_bmm();
  EXPECT_EQ(result.product, Shape({2, 1, 6}));
  expect_rows_sum_to_one(result.weights);
  double total = 0, sum = 0;
  for (int i = 0; i < 10; ++i) {
    total += std::exp(i);
    sum += std::exp(i) * (10 + i);
  }
  expect_near(result.pooled, tensor({4.5, sum / total}), 1e-4);
}

/// Weights of the first keys alone, and values 0, 1, 2, 3 and 4 more for each key.
TEST(Tour, AdditiveAttentionAveragesTheValidValues) {
  for (std::uint64_t seed : kSeeds) {
    const AdditivePooling pooling = run_additive(seed);
    expect_rows_sum_to_one(pooling.weights);
    const std::vector<double> weights = pooling.weights.to_vector();
    for (std::size_t j = 2; j < 10; ++j) EXPECT_EQ(weights[j], 0);
    for (std::size_t j = 6; j < 10; ++j) EXPECT_EQ(weights[10 + j], 0);
    // There is something to be seen: no two keys are alike.
    for (std::size_t j = 1; j < 6; ++j) EXPECT_NE(weights[10 + j], weights[10]);
    double place = 0;
    for (std::size_t j = 0; j < 6; ++j) place += weights[10 + j] * static_cast<double>(j);
    EXPECT_NEAR(pooling.output.at({1, 0, 2}), 4 * place + 2, 1e-4);
  }
}

TEST(Tour, DotProductAttentionLooksWhereTheQueryPoints) {
  const DotProductPooling pooling = run_dot_product();
  const std::vector<double> weights = pooling.weights.to_vector();
  const auto expected = [&](int hour, int at, int length) {
    const auto share = [&](int h) {
      return std::exp(4 * std::cos(2 * 3.14159265358979323846 * (h - at) / 10) / std::sqrt(2));
    };
    double total = 0;
    for (int h = 0; h < length; ++h) total += share(h);
    return hour < length ? share(hour) / total : 0;
  };
  for (int hour = 0; hour < 10; ++hour) {
    EXPECT_NEAR(weights[static_cast<std::size_t>(hour)], expected(hour, 2, 10), 1e-5);
    EXPECT_NEAR(weights[static_cast<std::size_t>(10 + hour)], expected(hour, 8, 6), 1e-5);
  }
}

TEST(Tour, AttentionLayerIsItsFormula) {
  for (std::uint64_t seed : kSeeds) {
    const AttentionLayerResult result = run_attention_layer(seed);
    EXPECT_TRUE(result.is_formula);
    EXPECT_EQ(result.weights.shape(), Shape({4, 4}));
    expect_rows_sum_to_one(result.weights);
    // The last position is a copy of the first.
    expect_near(result.weights[0], result.weights[3], 1e-6);
    expect_near(result.weights.select(1, 0), result.weights.select(1, 3), 1e-6);
    EXPECT_EQ(result.output, Shape({1, 4, 8}));
    EXPECT_EQ(result.parameters, 3 * (6 * 8 + 8) + (8 * 8 + 8));
    EXPECT_NE(result.tree.find("(linears): ModuleList("), std::string::npos) << result.tree;
  }
}

TEST(Tour, MultiHeadAttentionIsThatOfTheNotes) {
  const MultiHead result = run_multi_head(kSeed);
  EXPECT_EQ(result.output, Shape({2, 4, 100}));
  EXPECT_EQ(result.parameters, 4 * 100 * 100);
  std::ifstream file(HEED_TESTS_DIR "/golden/multi_head_attention_tree.txt");
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(result.tree + "\n", golden.str());
  EXPECT_EQ(result.weights.shape(), Shape({2, 5, 4, 4}));
  expect_rows_sum_to_one(result.weights);
  // No two heads are alike, and none looks at padding.
  for (std::int64_t head = 1; head < 5; ++head)
    EXPECT_GT(max_difference(result.weights[0][0], result.weights[0][head]), 0.05);
  EXPECT_EQ(max(result.weights[0].select(2, 3)).item(), 0);
  EXPECT_EQ(max(result.weights[1].slice(2, {.start = 2})).item(), 0);
}

TEST(Tour, SelfAttentionDoesNotKnowOrder) {
  for (std::uint64_t seed : kSeeds) {
    const SelfAttentionResult result = run_self_attention(seed);
    EXPECT_EQ(result.weights.shape(), Shape({4, 4}));
    expect_rows_sum_to_one(result.weights);
    EXPECT_FALSE(result.order_seen);
    EXPECT_TRUE(result.order_seen_encoded);
  }
}

TEST(Tour, PositionsTurnLikeClocks) {
  const Positions positions = run_positions();
  const Tensor& table = positions.table;
  ASSERT_EQ(table.shape(), Shape({60, 32}));
  for (std::int64_t p : {0, 1, 31, 59}) {
    for (std::int64_t i : {0, 3, 15}) {
      const double angle = static_cast<double>(p) / std::pow(10000.0, static_cast<double>(2 * i) / 32);
      EXPECT_NEAR(table.at({p, 2 * i}), std::sin(angle), 1e-6);
      EXPECT_NEAR(table.at({p, 2 * i + 1}), std::cos(angle), 1e-6);
    }
  }
  // How alike two positions are depends on their distance alone.
  for (std::int64_t p : {1, 10, 40}) {
    for (std::int64_t d = 0; p + d < 60; ++d)
      EXPECT_NEAR(positions.alike.at({p, p + d}), positions.alike.at({0, d}), 1e-4);
  }
}

TEST(Tour, OrderIsLearnedWithPositionsOrUnderACausalMask) {
  for (std::uint64_t seed : {0U, 1U, 2U}) {
    const Order order = run_order(seed);
    // A sequence and its mirror image look alike, so one of them is classified wrong.
    EXPECT_NEAR(order.without.right, 0.5, 0.02);
    EXPECT_NEAR(order.without.losses.back(), std::log(2.0), 0.02);
    for (const Learned& learned : {order.causal, order.with}) {
      EXPECT_GE(learned.right, 0.95) << learned.name;
      EXPECT_LT(learned.losses.back(), 0.2) << learned.name;
    }
  }
}

TEST(Tour, DropoutAveragesToEvaluation) {
  for (std::uint64_t seed : kSeeds) {
    const DropoutResult result = run_dropout(seed);
    EXPECT_FALSE(identical(result.first, result.second));
    const double off = max_difference(result.average, result.evaluated);
    EXPECT_LE(off, 0.05);
    EXPECT_GT(max_difference(result.first, result.evaluated), off);
  }
}

}  // namespace
}  // namespace heed::tour
