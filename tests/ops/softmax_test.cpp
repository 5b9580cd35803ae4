// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tensors.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

double log_sum_exp(const Doubles& row) {
  const double top = *std::max_element(row.begin(), row.end());
  long double sum = 0;
  for (double x : row) sum += std::exp(static_cast<long double>(x - top));
  return static_cast<double>(top + std::log(sum));
}

/// value(entry, row) for each entry of x along `dim`, by walking each row of x on its own.
Doubles along(const Tensor& x, std::int64_t dim, const std::function<double(double, const Doubles&)>& value) {
  const Tensor last = x.transpose(dim, -1);
  const auto n = static_cast<std::ptrdiff_t>(last.size(-1));
  const Doubles flat = last.to_vector();
  Doubles out;
  for (auto first = flat.begin(); first != flat.end(); first += n) {
    const Doubles row(first, first + n);
    for (double entry : row) out.push_back(value(entry, row));
  }
  return from_vector(out, last.shape()).transpose(dim, -1).to_vector();
}

TEST(Softmax, FollowsTheDefinitionAlongAnyDim) {
  const auto weight = [](double e, const Doubles& row) { return std::exp(e - log_sum_exp(row)); };
  const auto log_weight = [](double e, const Doubles& row) { return e - log_sum_exp(row); };
  const auto total = [](double, const Doubles& row) { return log_sum_exp(row); };
  for (const Shape& shape :
       {Shape{1}, Shape{7}, Shape{3, 5}, Shape{2, 3, 1}, Shape{2, 17, 3}, Shape{5, 101}}) {
    for (std::int64_t dim = -shape.rank(); dim < shape.rank(); ++dim) {
      SCOPED_TRACE(to_string(shape) + " along " + std::to_string(dim));
      const Tensor single = random_normal(shape, f32) * 3;
      const Tensor x = single.to(f64);
      EXPECT_TRUE(near(softmax(x, dim), along(x, dim, weight), 1e-14));
      EXPECT_TRUE(near(softmax(single, dim), along(x, dim, weight), 1e-6));
      EXPECT_TRUE(near(log_softmax(x, dim), along(x, dim, log_weight), 1e-14));
      EXPECT_TRUE(near(log_softmax(single, dim), along(x, dim, log_weight), 1e-6));
      EXPECT_EQ(logsumexp(x, dim, keepdims).size(dim), 1);
      EXPECT_TRUE(near(logsumexp(x, dim, keepdims).expand(shape), along(x, dim, total), 1e-14));
      EXPECT_EQ(logsumexp(x, dim).rank(), shape.rank() - 1);
    }
  }
}

TEST(Softmax, HoldsFarFromZero) {
  const Tensor x = tensor({{1000, 1001}, {-1000, -1001}}, f64);
  const double high = 1 / (1 + std::exp(-1.0));
  EXPECT_TRUE(near(softmax(x), {1 - high, high, high, 1 - high}));
  EXPECT_TRUE(near(logsumexp(x), {1001 + std::log1p(std::exp(-1.0)), -1000 + std::log1p(std::exp(-1.0))}));
  EXPECT_TRUE(same_bits(softmax(tensor({1, 2, 3})), softmax(tensor({1001, 1002, 1003}))));
}

TEST(Softmax, InfinityAndNan) {
  EXPECT_TRUE(near(softmax(tensor({-kInf, 0, -kInf}, f64)), {0, 1, 0}));
  EXPECT_TRUE(near(log_softmax(tensor({-kInf, 0}, f64)), {-kInf, 0}));
  EXPECT_TRUE(near(softmax(tensor({-kInf, -kInf}, f64)), {kNan, kNan}));
  EXPECT_TRUE(near(softmax(tensor({kNan, 1, 2}, f64)), {kNan, kNan, kNan}));
  EXPECT_TRUE(near(softmax(tensor({1, 2, kNan, 5}, f64)), {kNan, kNan, kNan, kNan}));
  EXPECT_TRUE(near(logsumexp(tensor({{-kInf, -kInf}, {kInf, 1}, {kNan, 1}}, f64)), {-kInf, kInf, kNan}));
}

TEST(LogSumExp, OfNothingToSumHasNoGradient) {
  const Tensor x = full({2, 3}, -kInf, f64).requires_grad_();
  sum(logsumexp(x)).backward();
  EXPECT_EQ(x.grad().to_vector(), Doubles(6, 0.0));
}

TEST(Softmax, OfNothing) {
  EXPECT_EQ(softmax(zeros({0, 3})).shape(), (Shape{0, 3}));
  EXPECT_EQ(softmax(zeros({3, 0})).shape(), (Shape{3, 0}));
  EXPECT_EQ(softmax(zeros({3, 0, 2}), 0).shape(), (Shape{3, 0, 2}));
  EXPECT_EQ(logsumexp(zeros({3, 0})).to_vector(), Doubles(3, -kInf));
}

}  // namespace
}  // namespace heed::test
