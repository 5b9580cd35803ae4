// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Large matrices as small pictures, from rows that come one block at a time.
#include "support/errors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>
#include <limits>

namespace heed::viz {
namespace {

using heed::test::expect_errors;

/// Every cell by itself, straight from what it means.
Tensor by_definition(const Tensor& matrix, const Shape& size, Pool pool) {
  const std::int64_t Lq = matrix.size(0), Lk = matrix.size(1);
  std::vector<double> cells;
  for (std::int64_t i = 0; i < size[0]; ++i) {
    for (std::int64_t j = 0; j < size[1]; ++j) {
      double largest = -std::numeric_limits<double>::infinity(), total = 0, count = 0;
      for (std::int64_t row = 0; row < Lq; ++row) {
        for (std::int64_t column = 0; column < Lk; ++column) {
          if (row * size[0] / Lq != i || column * size[1] / Lk != j) continue;
          largest = std::max(largest, matrix.at({row, column}));
          total += matrix.at({row, column});
          ++count;
        }
      }
      cells.push_back(pool == Pool::kMax ? largest : total / count);
    }
  }
  return from_vector(cells, size);
}

TEST(Downsample, IsItsDefinition) {
  for (const Shape& shape : {Shape{7, 5}, Shape{12, 30}, Shape{1, 9}, Shape{9, 1}}) {
    const Tensor matrix = normal(shape, {}, f64);
    for (const Pool pool : {Pool::kMax, Pool::kMean}) {
      for (const std::int64_t block : {1, 17, 1000}) {
        const Tensor small = downsample(matrix, {.height = 4, .width = 3, .pool = pool, .block = block});
        const Shape size = {std::min<std::int64_t>(shape[0], 4), std::min<std::int64_t>(shape[1], 3)};
        ASSERT_EQ(small.shape(), size);
        EXPECT_LE(max(abs(small - by_definition(matrix, size, pool))).item(), 1e-14);
      }
    }
  }
}

TEST(Downsample, LeavesWhatFitsAsItIs) {
  const Tensor matrix = normal({5, 6}, {}, f64);
  EXPECT_EQ(max(abs(downsample(matrix) - matrix)).item(), 0);
}

TEST(Downsample, AsksForEachRowOnceInOrderAndForNoMoreThanABlock) {
  std::int64_t next = 0, most = 0;
  const auto rows = [&](std::int64_t first, std::int64_t count) {
    EXPECT_EQ(first, next);
    next = first + count;
    most = std::max(most, count);
    return full({count, 1000}, static_cast<double>(first), f64);
  };
  const Tensor small = downsample({10000, 1000}, rows, {.height = 10, .width = 10, .block = 5000});
  EXPECT_EQ(next, 10000);
  EXPECT_EQ(most, 5);
  EXPECT_EQ(small.at({0, 0}), 995);
  EXPECT_EQ(small.at({9, 9}), 9995);
}

TEST(Downsample, ShowsThatThereIsANan) {
  Tensor matrix = zeros({4, 4}, f64);
  matrix[0].slice(0, {.stop = 1}).fill_(std::numeric_limits<double>::quiet_NaN());
  for (const Pool pool : {Pool::kMax, Pool::kMean}) {
    const Tensor small = downsample(matrix, {.height = 2, .width = 2, .pool = pool});
    EXPECT_TRUE(std::isnan(small.at({0, 0})));
    EXPECT_EQ(small.at({0, 1}), 0);
    EXPECT_EQ(small.at({1, 0}), 0);
  }
}

TEST(Downsample, NamesWhatIsWrong) {
  const RowSource wrong = [](std::int64_t, std::int64_t) { return ones({1, 2}); };
  expect_errors({
      {[] { downsample(Tensor()); }, "downsample: matrix"},
      {[] { downsample(ones({3})); }, "matrix: expected (Lq, Lk), found (3,)"},
      {[] {
         downsample(ones({0, 3}));
       },
       "shape: expected (Lq, Lk) without a zero, found (0, 3)"},
      {[] {
         downsample(ones({2, 2}), {.height = 0});
       },
       "height and width: expected 1 to 1048576, found 0 and 512"},
      {[] {
         downsample(ones({2, 2}), {.block = 0});
       },
       "block: expected at least 1, found 0"},
      {[] {
         downsample({2, 2}, nullptr);
       },
       "rows: expected a function, found none"},
      {[&] {
         downsample({2, 3}, wrong);
       },
       "rows(0, 2): expected (2, 3), found (1, 2)"},
      {[] {
         downsample({2, 3}, [](auto, auto) { return Tensor(); });
       },
       "rows(first, count)"},
      {[&] {
         downsample({std::int64_t{1} << 41, 3}, wrong);
       },
       "expected at most 2^40 each way"},
  });
}

}  // namespace
}  // namespace heed::viz
