// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A large matrix as a small one, from blocks of rows that come one after the other.
#include "core/check.h"
#include "core/parallel.h"

#include <heed/viz.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace heed::viz {
namespace {

/// Which of `cells` an index of 0 to length - 1 belongs to, as even as can be.
std::int64_t cell_of(std::int64_t index, std::int64_t length, std::int64_t cells) {
  return index * cells / length;
}

/// The cells of the picture, filled row by row of the matrix.
class Cells {
 public:
  Cells(const Shape& shape, const Shape& size, Pool pool)
      : pool_(pool),
        shape_(shape),
        size_(size),
        numbers_(static_cast<std::size_t>(size.numel()), start(pool)) {
    columns_.reserve(static_cast<std::size_t>(shape[1]));
    for (std::int64_t j = 0; j < shape[1]; ++j) {
      columns_.push_back(static_cast<std::size_t>(cell_of(j, shape[1], size[1])));
    }
  }

  void add_row(std::int64_t row, const double* values) {
    double* cells = &numbers_[static_cast<std::size_t>(cell_of(row, shape_[0], size_[0]) * size_[1])];
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      double& cell = cells[columns_[j]];
      if (pool_ == Pool::kMean) {
        cell += values[j];
      } else if (!(values[j] <= cell)) {  // so that NaN gets in, and stays
        cell = std::isnan(cell) ? cell : values[j];
      }
    }
  }

  Tensor result() {
    if (pool_ == Pool::kMean) divide();
    return from_vector(numbers_, size_);
  }

 private:
  static double start(Pool pool) {
    return pool == Pool::kMean ? 0 : -std::numeric_limits<double>::infinity();
  }

  void divide() {
    std::vector<double> height(static_cast<std::size_t>(size_[0])), width(static_cast<std::size_t>(size_[1]));
    for (std::int64_t i = 0; i < shape_[0]; ++i)
      ++height[static_cast<std::size_t>(cell_of(i, shape_[0], size_[0]))];
    for (const std::size_t column : columns_) ++width[column];
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      numbers_[i] /= height[i / width.size()] * width[i % width.size()];
  }

  Pool pool_;
  Shape shape_, size_;
  std::vector<double> numbers_;
  std::vector<std::size_t> columns_;  ///< of the picture, for each column of the matrix
};

}  // namespace

Tensor downsample(const Shape& shape, const RowSource& rows, const DownsampleOptions& options) {
  constexpr const char* kOp = "downsample";
  check(shape.rank() == 2 && shape[0] > 0 && shape[1] > 0, kOp,
        "shape: expected (Lq, Lk) without a zero, found {}", shape);
  // The product of an index and a number of cells must fit.
  constexpr std::int64_t kMostCells = std::int64_t{1} << 20, kLongest = std::int64_t{1} << 40;
  for (const std::int64_t cells : {options.height, options.width}) {
    check(cells > 0 && cells <= kMostCells, kOp, "height and width: expected 1 to {}, found {} and {}",
          kMostCells, options.height, options.width);
  }
  check(options.block > 0, kOp, "block: expected at least 1, found {}", options.block);
  check(rows != nullptr, kOp, "rows: expected a function, found none");
  check(shape[0] <= kLongest && shape[1] <= kLongest, kOp, "shape: expected at most 2^40 each way, found {}",
        shape);

  Cells cells(shape, {std::min(shape[0], options.height), std::min(shape[1], options.width)}, options.pool);
  const std::int64_t rows_at_once = std::max<std::int64_t>(options.block / shape[1], 1);
  for (std::int64_t first = 0; first < shape[0]; first += rows_at_once) {
    const std::int64_t count = std::min(rows_at_once, shape[0] - first);
    poll_interrupt();
    const Tensor block = rows(first, count);
    check_defined(block, kOp, "rows(first, count)");
    check(block.shape() == Shape{count, shape[1]}, kOp, "rows({}, {}): expected {}, found {}", first, count,
          Shape{count, shape[1]}, block.shape());
    const std::vector<double> values = block.to_vector();
    for (std::int64_t i = 0; i < count; ++i)
      cells.add_row(first + i, &values[static_cast<std::size_t>(i * shape[1])]);
  }
  return cells.result();
}

Tensor downsample(const Tensor& matrix, const DownsampleOptions& options) {
  check_defined(matrix, "downsample", "matrix");
  check(matrix.rank() == 2, "downsample", "matrix: expected (Lq, Lk), found {}", matrix.shape());
  const auto rows = [&](std::int64_t first, std::int64_t count) {
    return matrix.slice(0, {.start = first, .stop = first + count});
  };
  return downsample(matrix.shape(), rows, options);
}

}  // namespace heed::viz
