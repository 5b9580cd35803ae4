// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tensors.h"

#include <cmath>

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

/// Row by row, two passes, in long double.
Doubles normalized(const Tensor& x, std::int64_t n, double epsilon, const Doubles& weight,
                   const Doubles& bias) {
  const Doubles values = x.to_vector();
  const auto width = static_cast<std::size_t>(n);
  Doubles out;
  for (std::size_t first = 0; first < values.size(); first += width) {
    long double mean = 0;
    long double variance = 0;
    for (std::size_t i = 0; i < width; ++i) mean += values[first + i];
    mean /= static_cast<long double>(n);
    for (std::size_t i = 0; i < width; ++i)
      variance += (values[first + i] - mean) * (values[first + i] - mean);
    variance /= static_cast<long double>(n);
    for (std::size_t i = 0; i < width; ++i) {
      const long double h = (values[first + i] - mean) / std::sqrt(variance + epsilon);
      out.push_back(static_cast<double>(h * (weight.empty() ? 1 : weight[i]) + (bias.empty() ? 0 : bias[i])));
    }
  }
  return out;
}

TEST(LayerNorm, FollowsTheDefinition) {
  struct Case {
    Shape x, inner;
  };
  const Case cases[] = {{{1}, {1}},     {{7}, {7}},          {{3, 5}, {5}},         {{2, 3, 5}, {3, 5}},
                        {{17, 1}, {1}}, {{4, 1021}, {1021}}, {{2, 3, 4}, {2, 3, 4}}};
  for (const auto& [shape, inner] : cases) {
    SCOPED_TRACE(to_string(shape) + " over " + to_string(inner));
    const Tensor single = random_normal(shape, f32) * 3 + 1;
    const Tensor x = single.to(f64);
    const Tensor weight = random_normal(inner, f64, 2);
    const Tensor bias = random_normal(inner, f64, 3);
    const std::int64_t n = inner.numel();
    EXPECT_TRUE(near(layer_norm(x, inner), normalized(x, n, 1e-5, {}, {}), 1e-13));
    EXPECT_TRUE(near(layer_norm(x, inner, {.weight = weight, .bias = bias, .epsilon = 0.5}),
                     normalized(x, n, 0.5, weight.to_vector(), bias.to_vector()), 1e-13));
    EXPECT_TRUE(
        near(layer_norm(x, inner, {.bias = bias}), normalized(x, n, 1e-5, {}, bias.to_vector()), 1e-13));
    EXPECT_TRUE(near(layer_norm(single, inner, {.weight = weight.to(f32)}),
                     normalized(x, n, 1e-5, weight.to_vector(), {}), 1e-6));
  }
}

TEST(LayerNorm, ALargeOffsetDoesNotCancel) {
  const Tensor x = random_normal({4, 256}, f32) + 1e4;
  EXPECT_TRUE(near(layer_norm(x, {256}), normalized(x, 256, 1e-5, {}, {}), 1e-6));
}

TEST(LayerNorm, OfNothing) {
  EXPECT_EQ(layer_norm(zeros({3, 0}), {0}).shape(), (Shape{3, 0}));
  EXPECT_EQ(layer_norm(zeros({0, 3}), {3}).shape(), (Shape{0, 3}));
  const Tensor weight = ones({3}).requires_grad_();
  sum(layer_norm(zeros({0, 3}), {3}, {.weight = weight})).backward();
  EXPECT_EQ(weight.grad().to_vector(), (Doubles{0, 0, 0}));
  const Tensor none = zeros({2, 0}).requires_grad_();
  sum(layer_norm(none, {0})).backward();
  EXPECT_EQ(none.grad().shape(), (Shape{2, 0}));
}

TEST(LayerNorm, AConstantRowIsZero) {
  EXPECT_EQ(layer_norm(full({2, 5}, 3), {5}).to_vector(), Doubles(10, 0.0));
}

}  // namespace
}  // namespace heed::test
