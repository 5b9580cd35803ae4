// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Parameters start from the distributions PyTorch users know.
#include <gtest/gtest.h>
#include <heed/heed.h>

#include <algorithm>
#include <cmath>

namespace heed::nn {
namespace {

struct Moments {
  double mean = 0, variance = 0, low = 0, high = 0;
};

Moments moments(const Tensor& x) {
  const std::vector<double> values = x.to_vector();
  const auto n = static_cast<double>(values.size());
  Moments m{.low = *std::min_element(values.begin(), values.end()),
            .high = *std::max_element(values.begin(), values.end())};
  for (double value : values) m.mean += value / n;
  for (double value : values) m.variance += (value - m.mean) * (value - m.mean) / n;
  return m;
}

/// Uniform on ±bound: the ends are reached, mean and variance lie within five standard errors.
void expect_uniform(const Tensor& x, double bound) {
  const Moments m = moments(x);
  const auto n = static_cast<double>(x.numel());
  EXPECT_GE(m.low, -bound);
  EXPECT_LE(m.high, bound);
  EXPECT_LT(m.low, -bound * (1 - 40 / n));
  EXPECT_GT(m.high, bound * (1 - 40 / n));
  EXPECT_NEAR(m.mean, 0, 5 * bound / std::sqrt(3 * n));
  EXPECT_NEAR(m.variance, bound * bound / 3, 5 * bound * bound * std::sqrt(4.0 / 45 / n));
}

void expect_normal(const Tensor& x, double stddev) {
  const Moments m = moments(x);
  const auto n = static_cast<double>(x.numel());
  EXPECT_NEAR(m.mean, 0, 5 * stddev / std::sqrt(n));
  EXPECT_NEAR(m.variance, stddev * stddev, 5 * stddev * stddev * std::sqrt(2 / n));
  EXPECT_GT(m.high, 3 * stddev);
}

class Init : public testing::TestWithParam<Dtype> {
 protected:
  void SetUp() override { seed(17); }
};

TEST_P(Init, LinearIsUniformByItsInputs) {
  const Linear linear({.in_features = 25, .out_features = 4000, .dtype = GetParam()});
  EXPECT_EQ(linear.weight.shape(), (Shape{4000, 25}));
  EXPECT_EQ(linear.weight.dtype(), GetParam());
  expect_uniform(linear.weight, 0.2);
  expect_uniform(linear.bias, 0.2);
}

TEST_P(Init, LinearWithoutInputsIsSafe) {
  const Linear linear({.in_features = 0, .out_features = 3, .dtype = GetParam()});
  EXPECT_TRUE(identical(linear.bias.detach(), zeros({3}, GetParam())));
  EXPECT_TRUE(identical(linear(ones({2, 0}, GetParam())).detach(), zeros({2, 3}, GetParam())));
}

TEST_P(Init, EmbeddingIsStandardNormal) {
  const Embedding embedding({.num_embeddings = 1000, .embedding_dim = 50, .dtype = GetParam()});
  EXPECT_EQ(embedding.weight.shape(), (Shape{1000, 50}));
  expect_normal(embedding.weight, 1);
}

TEST_P(Init, LearnedPositionsAreNormalAndSmall) {
  const LearnedPositionalEncoding encoding({.num_hiddens = 50, .dtype = GetParam()});
  EXPECT_EQ(encoding.P.shape(), (Shape{1000, 50}));
  expect_normal(encoding.P, 0.02);
}

TEST_P(Init, LayerNormStartsAsThePlainNormalisation) {
  const LayerNorm norm({.normalized_shape = {3, 5}, .dtype = GetParam()});
  EXPECT_TRUE(identical(norm.weight.detach(), ones({3, 5}, GetParam())));
  EXPECT_TRUE(identical(norm.bias.detach(), zeros({3, 5}, GetParam())));
}

TEST_P(Init, KernelRegressionStartsUniformOnTheUnitInterval) {
  std::vector<Tensor> drawn;
  for (int i = 0; i < 2000; ++i) drawn.push_back(NWKernelRegression({.dtype = GetParam()}).w.detach());
  EXPECT_EQ(drawn[0].shape(), Shape{1});
  expect_uniform(cat(drawn) * 2 - 1, 1);
}

TEST_P(Init, AttentionModulesAreMadeOfSuchLinears) {
  const Dtype dtype = GetParam();
  const AdditiveAttention additive({.key_size = 4, .query_size = 16, .num_hiddens = 2500, .dtype = dtype});
  expect_uniform(additive.W_k.weight, 0.5);
  expect_uniform(additive.W_q.weight, 0.25);
  expect_uniform(additive.w_v.weight, 0.02);
  const MultiHeadAttention heads({.hidden = 64, .heads = 4, .bias = true, .key_size = 16, .dtype = dtype});
  expect_uniform(heads.W_k.weight, 0.25);
  expect_uniform(heads.W_q.weight, 0.125);
  EXPECT_EQ(heads.W_o.bias.dtype(), dtype);
}

INSTANTIATE_TEST_SUITE_P(Types, Init, testing::Values(f32, f64),
                         [](const auto& type) { return std::string(name(type.param)); });

TEST(InitSeed, DecidesTheNumbers) {
  const auto drawn = [](std::uint64_t value) {
    seed(value);
    return Linear({.in_features = 3, .out_features = 2}).weight.detach();
  };
  EXPECT_TRUE(identical(drawn(1), drawn(1)));
  EXPECT_FALSE(identical(drawn(1), drawn(2)));
}

}  // namespace
}  // namespace heed::nn
