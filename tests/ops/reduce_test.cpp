// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tensors.h"

#include <cmath>
#include <functional>

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

/// fold(elements) for each output, elements gathered index by index.
Doubles reduced(const Tensor& x, const Dims& dims, const std::function<double(const Doubles&)>& fold) {
  const Doubles values = x.to_vector();
  std::vector<bool> is_reduced(static_cast<std::size_t>(x.rank()), dims.empty());
  for (std::int64_t dim : dims) is_reduced[static_cast<std::size_t>(dim < 0 ? dim + x.rank() : dim)] = true;
  std::int64_t outputs = 1;
  for (std::int64_t i = 0; i < x.rank(); ++i) {
    if (!is_reduced[static_cast<std::size_t>(i)]) outputs *= x.shape()[i];
  }
  std::vector<Doubles> groups(static_cast<std::size_t>(outputs));
  for (std::int64_t n = 0; n < x.numel(); ++n) {
    std::int64_t rest = n;
    std::int64_t place = 0;
    std::int64_t step = 1;
    for (std::int64_t i = x.rank() - 1; i >= 0; --i) {
      if (!is_reduced[static_cast<std::size_t>(i)]) {
        place += rest % x.shape()[i] * step;
        step *= x.shape()[i];
      }
      rest /= x.shape()[i];
    }
    groups[static_cast<std::size_t>(place)].push_back(values[static_cast<std::size_t>(n)]);
  }
  Doubles out;
  for (const Doubles& group : groups) out.push_back(fold(group));
  return out;
}

double total(const Doubles& x) {
  long double sum = 0;
  for (double value : x) sum += value;
  return static_cast<double>(sum);
}

struct Case {
  Shape shape;
  Dims dims;
};

const Case kCases[] = {
    {{}, {}},
    {{1}, {}},
    {{7}, {0}},
    {{5000}, {}},
    {{3, 5}, {0}},
    {{3, 5}, {1}},
    {{3, 5}, {}},
    {{2, 3, 5}, {1}},
    {{2, 3, 5}, {0, 2}},
    {{2, 3, 5}, {0, 1, -1}},
    {{1, 7, 1, 11}, {1, 2}},
    {{2, 3, 4, 5}, {1, 3}},
    {{2, 3, 4, 5}, {0, 2}},
    {{1031, 3}, {0}},
    {{1031, 70}, {0}},
    {{600, 531}, {0}},
    {{600, 531}, {1}},
    {{2, 700, 9}, {0, 1}},
    {{4, 1030, 2}, {1, 2}},
};

TEST(Sum, FollowsTheDefinition) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(to_string(c.shape) + " over " + to_string(c.dims));
    const Tensor x = random_normal(c.shape);
    EXPECT_TRUE(near(sum(x, c.dims), reduced(x, c.dims, total), 1e-14));
    EXPECT_TRUE(near(sum(x.to(f32), c.dims), reduced(x, c.dims, total), 1e-7));
    EXPECT_TRUE(
        near(mean(x, c.dims),
             reduced(x, c.dims, [](const Doubles& v) { return total(v) / static_cast<double>(v.size()); }),
             1e-14));
    EXPECT_TRUE(
        near(max(x, c.dims),
             reduced(x, c.dims, [](const Doubles& v) { return *std::max_element(v.begin(), v.end()); }), 0));
    EXPECT_TRUE(
        near(min(x, c.dims),
             reduced(x, c.dims, [](const Doubles& v) { return *std::min_element(v.begin(), v.end()); }), 0));
    if (c.dims.rank() == 1) {
      EXPECT_TRUE(near(argmax(x, c.dims[0]),
                       reduced(x, c.dims,
                               [](const Doubles& v) {
                                 return static_cast<double>(std::max_element(v.begin(), v.end()) - v.begin());
                               }),
                       0));
    }
  }
}

TEST(Sum, KeepsDimsWhenAsked) {
  const Tensor x = ones({2, 3, 4});
  EXPECT_EQ(sum(x, {0, 2}, keepdims).shape(), (Shape{1, 3, 1}));
  EXPECT_EQ(sum(x, {}, keepdims).shape(), (Shape{1, 1, 1}));
  EXPECT_EQ(mean(x, -1, keepdims).shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(max(x, 0, keepdims).shape(), (Shape{1, 3, 4}));
  EXPECT_EQ(argmax(x, 1, keepdims).shape(), (Shape{2, 1, 4}));
  EXPECT_EQ(sum(x).shape(), Shape{});
}

TEST(Sum, TypesOfResults) {
  const Tensor i = tensor({{1, 2}, {3, 4}}, i64);
  const Tensor b = tensor({true, false, true});
  EXPECT_EQ(sum(i).dtype(), i64);
  EXPECT_EQ(sum(i, 0).to_vector(), (Doubles{4, 6}));
  EXPECT_EQ(sum(b).dtype(), i64);
  EXPECT_EQ(sum(b).item(), 2);
  EXPECT_EQ(mean(i).dtype(), f32);
  EXPECT_EQ(mean(i).item(), 2.5);
  EXPECT_NEAR(mean(b).item(), 2.0 / 3, 1e-7);
  EXPECT_EQ(max(i, 1).to_vector(), (Doubles{2, 4}));
  EXPECT_EQ(max(b).item<bool>(), true);
  EXPECT_EQ(min(b).item<bool>(), false);
  EXPECT_EQ(argmax(i, 0).dtype(), i64);
  EXPECT_EQ(argmax(b, 0).item(), 0);
}

TEST(Sum, OfNothing) {
  EXPECT_EQ(sum(zeros({0})).item(), 0);
  EXPECT_EQ(sum(zeros({0, 3}), 0).to_vector(), (Doubles{0, 0, 0}));
  EXPECT_EQ(sum(zeros({0, 3}), 1).numel(), 0);
  EXPECT_EQ(sum(zeros({2, 0, 3}), {0, 1}).to_vector(), (Doubles{0, 0, 0}));
  EXPECT_TRUE(std::isnan(mean(zeros({0})).item()));
  EXPECT_TRUE(near(mean(zeros({0, 2}, f64), 0), {kNan, kNan}));
  EXPECT_EQ(max(zeros({0, 3}), 1).numel(), 0);
}

/// 1 + many tiny numbers: what an f32 accumulator would lose.
TEST(Sum, IsAccumulatedBeyondItsType) {
  const std::int64_t n = 1 << 20;
  const Tensor single = full({n}, 0x1p-25);
  single[0].fill_(1);
  EXPECT_EQ(sum(single).item(), static_cast<double>(static_cast<float>(1 + (n - 1) * 0x1p-25)));
  EXPECT_EQ(mean(full({1000}, 3e38)).item<float>(), 3e38F);  // the sum alone would overflow

  const Tensor twice = full({n}, 0.1, f64);  // adding one after the other is off by some 1e-12 of it
  EXPECT_NEAR(sum(twice).item() / (0.1 * static_cast<double>(n)), 1, 1e-14);
  EXPECT_NEAR(sum(twice.reshape({n, 1}), 0).item() / (0.1 * static_cast<double>(n)), 1, 1e-14);
}

TEST(Extremes, NanWins) {
  const Tensor x = tensor({{1, kNan, 3}, {4, 5, 6}}, f64);
  EXPECT_TRUE(near(max(x, 1), {kNan, 6}));
  EXPECT_TRUE(near(min(x, 1), {kNan, 4}));
  EXPECT_TRUE(near(max(x, 0), {4, kNan, 6}));
  EXPECT_TRUE(std::isnan(max(x).item()));
  EXPECT_EQ(argmax(x, 1).to_vector(), (Doubles{1, 2}));
  EXPECT_EQ(max(tensor({-kInf, -kInf})).item(), -kInf);
  EXPECT_EQ(min(tensor({kInf, kInf})).item(), kInf);
  for (std::int64_t at : {0, 3, 9, 600}) {  // whichever lane it falls into
    const Tensor y = random_normal({601});
    y[at].fill_(kNan);
    EXPECT_TRUE(std::isnan(max(y).item()));
    EXPECT_TRUE(std::isnan(min(y).item()));
    EXPECT_EQ(argmax(y, 0).item<std::int64_t>(), at);
  }
}

TEST(ArgMax, IsTheFirstOfEquals) {
  EXPECT_EQ(argmax(tensor({1, 3, 3, 2}), 0).item(), 1);
  EXPECT_EQ(argmax(tensor({kNan, 9, kNan}), 0).item(), 0);
  EXPECT_EQ(argmax(tensor({-kInf, -kInf}), 0).item(), 0);
  EXPECT_EQ(argmax(tensor({{1, 5}, {7, 5}}).transpose(0, 1), 1).to_vector(), (Doubles{1, 0}));
}

TEST(Extremes, TiesShareTheGradient) {
  const Tensor x = tensor({{2, 5, 5}, {7, 7, 7}}, f64).requires_grad_();
  sum(max(x, 1) * tensor({4, 6}, f64)).backward();
  EXPECT_EQ(x.grad().to_vector(), (Doubles{0, 2, 2, 2, 2, 2}));
  const Tensor y = tensor({kNan, 1, kNan}, f64).requires_grad_();
  min(y).backward();
  EXPECT_EQ(y.grad().to_vector(), (Doubles{0.5, 0, 0.5}));
}

TEST(Reductions, AnyThreadsGiveTheSameBits) {
  for (Dtype dtype : {f32, f64}) {
    for (const Shape& shape :
         {Shape{1, 300'001}, Shape{300'001, 1}, Shape{40'000, 7}, Shape{40'000, 33}, Shape{5, 70'001}}) {
      const Tensor x = random_normal(shape, dtype) / 3;  // thirds, so that every order of adding shows
      const auto all = [&] {
        return std::vector<Tensor>{sum(x), sum(x, 0), sum(x, 1), mean(x, 0), max(x), min(x, 0), argmax(x, 1)};
      };
      const auto one = with_threads(1, all);
      for (int threads : {2, 3, 8}) {
        const auto many = with_threads(threads, all);
        for (std::size_t i = 0; i < one.size(); ++i)
          EXPECT_TRUE(same_bits(many[i], one[i])) << threads << " " << i;
      }
    }
  }
}

/// Long enough for trees and blocks, in memory that takes the other paths.
TEST(Reductions, AnyStridesGiveTheSameBits) {
  const Tensor x = random_normal({700, 601}, f64) / 3;
  for (const Layout& layout : layouts(x)) {
    SCOPED_TRACE(layout.name);
    EXPECT_TRUE(same_bits(sum(layout.tensor), sum(x)));
    EXPECT_TRUE(same_bits(sum(layout.tensor, 0), sum(x, 0)));
    EXPECT_TRUE(same_bits(sum(layout.tensor, 1), sum(x, 1)));
    EXPECT_TRUE(same_bits(mean(layout.tensor, 0), mean(x, 0)));
  }
  EXPECT_TRUE(same_bits(sum(x, 0)[17], sum(x.slice(1, {.start = 17, .stop = 18}))));  // one output alone
}

}  // namespace
}  // namespace heed::test
