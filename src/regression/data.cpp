// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/data.h"

#include "core/check.h"

#include <heed/ops.h>

#include <algorithm>
#include <cmath>

namespace heed::regression {
namespace {

void check_finite(const Tensor& x, std::string_view op, const char* argument) {
  const std::vector<double> values = x.to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const auto place = static_cast<std::int64_t>(i);
    fail(op, fmt::format("{}[{}, {}] is {}, expected a finite number", argument, place / x.size(1),
                         place % x.size(1), values[i]));
  }
}

Column describe(std::vector<double> values) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  Column column{.range = values.back() - values.front()};
  double mean = 0, squares = 0;
  for (const double v : values) mean += v / n;
  for (const double v : values) squares += (v - mean) * (v - mean) / n;
  column.stddev = std::sqrt(squares);
  std::vector<double> gaps;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] > values[i - 1]) gaps.push_back(values[i] - values[i - 1]);
  }
  if (gaps.empty()) return column;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::ranges::nth_element(gaps, middle);
  column.gap = *middle;
  return column;
}

}  // namespace

Tensor as_rows(const Tensor& x, std::int64_t width, std::string_view op, std::string_view argument) {
  const Tensor rows = x.rank() == 1 ? x.unsqueeze(1) : x;
  check(rows.rank() == 2 && rows.size(1) == width, op, "{} must be (rows, {}), found {}", argument, width,
        x.shape());
  return rows;
}

Data checked_data(const Tensor& x, const Tensor& y, std::string_view op) {
  check_floating(x, op, "x");
  check_dtype(y, x.dtype(), op, "y");
  check(x.rank() == 1 || x.rank() == 2, op, "x must be (n,) or (n, D), found {}", x.shape());
  check(y.rank() == 1 || y.rank() == 2, op, "y must be (n,) or (n, M), found {}", y.shape());
  check(x.size(0) == y.size(0), op, "x {} and y {} must have as many rows", x.shape(), y.shape());
  check(x.size(0) >= 1 && x.numel() > 0, op, "x must hold at least one point, found {}", x.shape());
  const Data data{as_rows(x.detach(), x.rank() == 1 ? 1 : x.size(1), op, "x").contiguous(),
                  as_rows(y.detach(), y.rank() == 1 ? 1 : y.size(1), op, "y").contiguous()};
  check_finite(data.x, op, "x");
  check_finite(data.y, op, "y");
  return data;
}

std::vector<Column> columns_of(const Tensor& x) {
  std::vector<Column> columns;
  for (std::int64_t d = 0; d < x.size(1); ++d) columns.push_back(describe(x.select(1, d).to_vector()));
  return columns;
}

}  // namespace heed::regression
