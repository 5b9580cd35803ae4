// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regress/sample.h"

#include <heed/error.h>
#include <heed/ops.h>
#include <heed/quote.h>
#include <heed/table.h>

#include <fmt/format.h>

#include <cmath>

namespace heed::command {
namespace {

/// (rows, names) of f64. Infinite numbers are refused here, where their column has a name.
Tensor columns(const Table& table, const std::vector<std::string>& names, const std::string& path) {
  std::vector<Tensor> columns;
  for (const std::string& name : names) {
    columns.push_back(table.numbers(name));
    for (const double entry : columns.back().to_vector()) {
      if (std::isinf(entry)) {
        throw Error(fmt::format("{}: column {}: expected finite numbers, found {}", printable(path),
                                in_quotes(name), entry));
      }
    }
  }
  return stack(columns, 1);
}

/// The rows of x at which nothing is missing in either.
std::vector<std::int64_t> complete_rows(const Tensor& x, const Tensor& y) {
  const Tensor all = cat({x, y}, 1);
  const std::vector<std::int64_t> missing = sum((all != all).to(i64), 1).to_vector<std::int64_t>();
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (missing[i] == 0) rows.push_back(static_cast<std::int64_t>(i));
  }
  return rows;
}

}  // namespace

Sample read_sample(const std::string& path, const ColumnNames& names, const CsvOptions& csv) {
  const Table table = load_table(path, csv);
  const Tensor x = columns(table, names.x, path), y = columns(table, names.y, path);
  const std::vector<std::int64_t> rows = complete_rows(x, y);
  if (rows.empty()) {
    throw Error(fmt::format("{}: expected a row with a number in each of the columns, found none in {} rows",
                            printable(path), table.rows()));
  }
  const Tensor chosen = from_vector(rows, {static_cast<std::int64_t>(rows.size())});
  return {.x_names = names.x,
          .y_names = names.y,
          .x = embedding(x, chosen),
          .y = embedding(y, chosen),
          .dropped = table.rows() - chosen.numel()};
}

}  // namespace heed::command
