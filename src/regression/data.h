// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Points as the estimators take them.
#pragma once

#include <heed/tensor.h>

#include <string_view>
#include <vector>

namespace heed::regression {

struct Data {
  Tensor x;  ///< (n, D)
  Tensor y;  ///< (n, M)
};

/// Checks and brings both to rank 2.
Data checked_data(const Tensor& x, const Tensor& y, std::string_view op);

/// (m,) as (m, 1); an Error unless it is then (m, width).
Tensor as_rows(const Tensor& x, std::int64_t width, std::string_view op, std::string_view argument);

/// What a column is like, as far as a choice of bandwidth asks.
struct Column {
  double stddev = 0;
  double range = 0;
  double gap = 0;  ///< median distance of neighbours, of those that differ

  bool constant() const noexcept { return range == 0; }
};
/// One for each column of x (n, D).
std::vector<Column> columns_of(const Tensor& x);

}  // namespace heed::regression
