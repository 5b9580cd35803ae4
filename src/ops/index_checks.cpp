// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/index_checks.h"

#include "core/check.h"
#include "core/strided.h"

#include <cmath>

namespace heed {
namespace {

/// Entry n in row-major order, as a user would write its position: "[1, 3]".
std::string position(std::int64_t n, const Shape& shape) {
  Shape index = shape;
  for (std::int64_t dim = shape.rank() - 1; dim >= 0; --dim) {
    index[dim] = n % shape[dim];
    n /= shape[dim];
  }
  return fmt::format("[{}]", fmt::join(index.begin(), index.end(), ", "));
}

}  // namespace

void check_entries(const Tensor& index, std::int64_t last, std::string_view op, std::string_view argument) {
  const std::int64_t* data = index.data<std::int64_t>();
  std::int64_t n = 0;
  for_each_offset(index.shape(), index.strides(), [&](std::int64_t offset) {
    const std::int64_t value = data[offset];
    if (value < 0 || value > last) [[unlikely]] {
      fail(op, last < 0 ? fmt::format("{}{} is {}, but there is nothing to pick from", argument,
                                      position(n, index.shape()), value)
                        : fmt::format("{}{} is {}, expected 0..{}", argument, position(n, index.shape()),
                                      value, last));
    }
    ++n;
  });
}

void check_whole(const Tensor& numbers, std::string_view op, std::string_view argument) {
  const double* data = numbers.data<double>();
  std::int64_t n = 0;
  for_each_offset(numbers.shape(), numbers.strides(), [&](std::int64_t offset) {
    const double value = data[offset];
    if (std::trunc(value) != value || std::abs(value) >= 0x1p63) [[unlikely]] {
      fail(op, fmt::format("{}{} is {}, expected a whole number of 64 bits", argument,
                           position(n, numbers.shape()), value));
    }
    ++n;
  });
}

}  // namespace heed
