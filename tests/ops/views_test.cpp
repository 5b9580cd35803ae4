// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tensors.h"

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

bool shares_memory(const Tensor& view, const Tensor& x) {
  const double before = x.to_vector().front();
  const double there = view.numel() > 0 ? view.to_vector().front() : 0;
  x.fill_(there + 1);
  const bool shared = view.to_vector().front() == there + 1;
  x.fill_(before);
  return shared;
}

TEST(Transpose, SwapsTwoDims) {
  const Tensor x = arange(6).reshape({2, 3});
  EXPECT_EQ(x.transpose(0, 1).to_vector(), (Doubles{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(x.transpose(-1, 0).shape(), (Shape{3, 2}));
  EXPECT_TRUE(shares_memory(x.transpose(0, 1), x));
}

TEST(Permute, PutsDimsInAnyOrder) {
  const Tensor x = random_normal({2, 3, 4});
  const Tensor y = x.permute({2, 0, -2});
  EXPECT_EQ(y.shape(), (Shape{4, 2, 3}));
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 4; ++k) EXPECT_EQ(y.at({k, i, j}), x.at({i, j, k}));
    }
  }
  EXPECT_EQ(tensor(3).permute({}).item(), 3);
}

TEST(Reshape, KeepsRowMajorOrder) {
  const Tensor x = random_normal({4, 6});
  for (const Shape& shape : {Shape{24}, Shape{2, 2, 6}, Shape{-1, 3}, Shape{1, 24, 1}, Shape{3, 2, -1, 2}}) {
    EXPECT_EQ(x.reshape(shape).to_vector(), x.to_vector());
    EXPECT_TRUE(shares_memory(x.reshape(shape), x));
    EXPECT_EQ(x.transpose(0, 1).reshape(shape).to_vector(), x.transpose(0, 1).to_vector());
  }
  EXPECT_EQ(x.reshape({4, -1}).shape(), (Shape{4, 6}));
  EXPECT_EQ(tensor({{5}}).reshape({}).shape(), Shape{});
  EXPECT_EQ(tensor(5).reshape({1, 1}).shape(), (Shape{1, 1}));
}

TEST(Reshape, IsAViewWhereStridesAllow) {
  const Tensor x = zeros({2, 3, 4, 5});
  const auto is_view = [&](const Tensor& y, const Shape& shape) {
    return y.reshape(shape).data<float>() == y.data<float>() && shares_memory(y.reshape(shape), x);
  };
  EXPECT_TRUE(is_view(x.transpose(0, 1), {3, 2, 20}));        // inner dims merge
  EXPECT_TRUE(is_view(x.transpose(0, 1), {3, 2, 2, 10}));     // and split
  EXPECT_FALSE(is_view(x.transpose(0, 1), {6, 20}));          // these do not
  EXPECT_TRUE(is_view(x.slice(0, {.stop = 1}), {3, 20}));     // a dim of 1 goes
  EXPECT_TRUE(is_view(x.slice(3, {.step = -1}), {24, 5}));    // backwards within a row
  EXPECT_TRUE(is_view(x.slice(3, {.stop = 3}), {2, 12, 3}));  // rows with gaps
  EXPECT_FALSE(is_view(x.slice(3, {.stop = 3}), {2, 3, 12}));
  EXPECT_EQ(zeros({1, 3}).expand({4, 3}).reshape({2, 2, 3}).strides(), (Strides{0, 0, 1}));
}

TEST(Reshape, OfNothing) {
  EXPECT_EQ(zeros({0, 3}).reshape({3, 0}).shape(), (Shape{3, 0}));
  EXPECT_EQ(zeros({0, 3}).reshape({-1, 3}).shape(), (Shape{0, 3}));
  EXPECT_EQ(zeros({2, 0}).transpose(0, 1).reshape({0, 7}).shape(), (Shape{0, 7}));
}

/// Python's own slicing, step by step.
Doubles python_slice(const Doubles& x, const Slice& part) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto clamp = [&](std::int64_t i, std::int64_t low, std::int64_t high) {
    if (i < 0) i += n;
    return i < low ? low : i > high ? high : i;
  };
  Doubles out;
  if (part.step > 0) {
    const std::int64_t stop = part.stop ? clamp(*part.stop, 0, n) : n;
    for (std::int64_t i = part.start ? clamp(*part.start, 0, n) : 0; i < stop; i += part.step) {
      out.push_back(x[static_cast<std::size_t>(i)]);
    }
  } else {
    const std::int64_t stop = part.stop ? clamp(*part.stop, -1, n - 1) : -1;
    for (std::int64_t i = part.start ? clamp(*part.start, -1, n - 1) : n - 1; i > stop; i += part.step) {
      out.push_back(x[static_cast<std::size_t>(i)]);
    }
  }
  return out;
}

TEST(SliceOp, FollowsPython) {
  const std::optional<std::int64_t> ends[] = {std::nullopt, -9, -5, -2, -1, 0, 1, 3, 4, 5, 9};
  for (std::int64_t n : {0, 1, 5}) {
    const Tensor x = arange(n, f64);
    for (const auto& start : ends) {
      for (const auto& stop : ends) {
        for (std::int64_t step : {-7, -2, -1, 1, 2, 3, 7}) {
          const Slice part{.start = start, .stop = stop, .step = step};
          EXPECT_EQ(x.slice(0, part).to_vector(), python_slice(x.to_vector(), part));
        }
      }
    }
  }
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(arange(3).slice(0, {.start = -most, .stop = most, .step = most}).to_vector(), (Doubles{0}));
}

TEST(SliceOp, IsAViewOfAnyDim) {
  const Tensor x = arange(12).reshape({3, 4});
  EXPECT_EQ(x.slice(1, {.start = 1, .stop = 3}).to_vector(), (Doubles{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(x.slice(-1, {.step = -1}).slice(0, {.start = -1}).to_vector(), (Doubles{11, 10, 9, 8}));
  EXPECT_TRUE(shares_memory(x.slice(0, {.start = 1}), x));
}

TEST(Select, TakesOnePosition) {
  const Tensor x = arange(6).reshape({2, 3});
  EXPECT_EQ(x.select(1, 2).to_vector(), (Doubles{2, 5}));
  EXPECT_EQ(x.select(1, -1).to_vector(), (Doubles{2, 5}));
  EXPECT_EQ(x[1].to_vector(), (Doubles{3, 4, 5}));
  EXPECT_EQ(x[1][-1].shape(), Shape{});
  x[0].fill_(9);
  EXPECT_EQ(x.to_vector(), (Doubles{9, 9, 9, 3, 4, 5}));
}

TEST(Squeeze, DropsDimsOfOne) {
  const Tensor x = zeros({1, 3, 1, 2});
  EXPECT_EQ(x.squeeze().shape(), (Shape{3, 2}));
  EXPECT_EQ(x.squeeze(0).shape(), (Shape{3, 1, 2}));
  EXPECT_EQ(x.squeeze({0, -2}).shape(), (Shape{3, 2}));
  EXPECT_EQ(x.transpose(1, 3).squeeze().shape(), (Shape{2, 3}));
  EXPECT_EQ(x.unsqueeze(-1).shape(), (Shape{1, 3, 1, 2, 1}));
  EXPECT_EQ(x.unsqueeze(0).shape(), (Shape{1, 1, 3, 1, 2}));
  EXPECT_EQ(tensor(2).unsqueeze(0).shape(), (Shape{1}));
}

TEST(Expand, RepeatsWithoutCopying) {
  const Tensor x = tensor({{1}, {2}});
  const Tensor y = x.expand({3, -1, 2});
  EXPECT_EQ(y.to_vector(), (Doubles{1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2}));
  EXPECT_EQ(y.strides(), (Strides{0, 1, 0}));
  EXPECT_EQ(x.expand({2, 0}).shape(), (Shape{2, 0}));
  EXPECT_EQ(tensor(3).expand({2}).to_vector(), (Doubles{3, 3}));
  EXPECT_TRUE(same_bits(exp(y), exp(y.clone())));
  EXPECT_TRUE(same_bits(sum(y, {0, 2}), sum(y.clone(), {0, 2})));
  EXPECT_TRUE(same_bits(matmul(y, y.transpose(1, 2)), matmul(y.clone(), y.clone().transpose(1, 2))));
  EXPECT_TRUE(same_bits(softmax(y, 1), softmax(y.clone(), 1)));
}

TEST(Diagonal, OfAnyTwoDims) {
  const Tensor x = arange(12).reshape({3, 4});
  EXPECT_EQ(x.diagonal().to_vector(), (Doubles{0, 5, 10}));
  EXPECT_EQ(x.diagonal({.offset = 1}).to_vector(), (Doubles{1, 6, 11}));
  EXPECT_EQ(x.diagonal({.offset = 2}).to_vector(), (Doubles{2, 7}));
  EXPECT_EQ(x.diagonal({.offset = -2}).to_vector(), (Doubles{8}));
  EXPECT_EQ(x.diagonal({.offset = 4}).numel(), 0);
  EXPECT_EQ(x.diagonal({.offset = -99}).numel(), 0);
  EXPECT_EQ(x.diagonal({.offset = 1, .dim1 = 1, .dim2 = 0}).to_vector(), (Doubles{4, 9}));
  const Tensor batched = arange(24).reshape({2, 3, 4});
  EXPECT_EQ(batched.diagonal({.dim1 = -2, .dim2 = -1}).to_vector(), (Doubles{0, 5, 10, 12, 17, 22}));
  EXPECT_EQ(batched.diagonal({.dim1 = 0, .dim2 = 2}).shape(), (Shape{3, 2}));
  x.diagonal().fill_(-1);
  EXPECT_EQ(x.at({1, 1}), -1);
}

TEST(Copies, OnlyWhereNeeded) {
  const Tensor x = random_normal({2, 3}, f32);
  EXPECT_EQ(x.contiguous().impl(), x.impl());
  EXPECT_EQ(x.to(f32).impl(), x.impl());
  EXPECT_EQ(x.reshape({2, 3}).data<float>(), x.data<float>());
  EXPECT_NE(x.clone().data<float>(), x.data<float>());
  const Tensor y = x.transpose(0, 1).contiguous();
  EXPECT_TRUE(y.is_contiguous());
  EXPECT_TRUE(same_bits(y, x.transpose(0, 1)));
}

TEST(Copies, TransposedOnesOfAnySize) {
  for (const std::int64_t rows : {1, 15, 16, 17, 50}) {
    for (const std::int64_t columns : {2, 31, 32, 33, 100}) {
      SCOPED_TRACE(testing::Message() << rows << " x " << columns);
      // Element (b, i, j) is the number of its place.
      const Tensor x = arange(3 * rows * columns).reshape({3, rows, columns});
      const std::vector<double> copied = x.transpose(1, 2).contiguous().to_vector(),
                                doubled = (x.transpose(0, 2) + x.permute({2, 1, 0})).to_vector();
      for (std::int64_t b = 0, n = 0; b < 3; ++b) {
        for (std::int64_t j = 0; j < columns; ++j) {
          for (std::int64_t i = 0; i < rows; ++i, ++n) {
            const double place = static_cast<double>((b * rows + i) * columns + j);
            ASSERT_EQ(copied[static_cast<std::size_t>(n)], place);
            ASSERT_EQ(doubled[static_cast<std::size_t>((j * rows + i) * 3 + b)], 2 * place);
          }
        }
      }
    }
  }
}

TEST(To, ConvertsEveryPairOfTypes) {
  const Tensor x = tensor({-1.75, 0, 0.5, 3}, f64);
  EXPECT_EQ(x.to(i64).to_vector(), (Doubles{-1, 0, 0, 3}));
  EXPECT_EQ(x.to(boolean).to_vector<bool>(), (std::vector<bool>{true, false, true, true}));
  EXPECT_EQ(x.to(f32).dtype(), f32);
  EXPECT_EQ(tensor({true, false}).to(f64).to_vector(), (Doubles{1, 0}));
  EXPECT_EQ(tensor({5}, i64).to(f32).item(), 5);
  EXPECT_EQ(tensor({kNan, 1e300, -1e300}, f64).to(i64).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{0, std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int64_t>::min()}));
  EXPECT_EQ(tensor({kNan}).to(boolean).item<bool>(), true);
  EXPECT_EQ(x.transpose(0, 0).slice(0, {.step = -2}).to(i64).to_vector(), (Doubles{3, 0}));
}

TEST(To, CarriesGradientsBetweenFloatingTypes) {
  const Tensor x = ones({2}).requires_grad_();
  sum(x.to(f64) * 3).backward();
  EXPECT_EQ(x.grad().dtype(), f32);
  EXPECT_EQ(x.grad().to_vector(), (Doubles{3, 3}));
  EXPECT_FALSE(x.to(i64).requires_grad());
}

}  // namespace
}  // namespace heed::test
