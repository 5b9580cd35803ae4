// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The columns of a table that a regression is about.
#pragma once

#include <heed/table.h>
#include <heed/tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heed::command {

struct Sample {
  std::vector<std::string> x_names, y_names;
  Tensor x;                  ///< (n, D) of f64
  Tensor y;                  ///< (n, M) of f64
  std::int64_t dropped = 0;  ///< rows that miss a value in one of the columns
};

struct ColumnNames {
  std::vector<std::string> x, y;
};

/// Reads a CSV file; "-" is the standard input. A column that is not there or holds text is an Error that names it, and so
/// is a file without a single complete row.
Sample read_sample(const std::string& path, const ColumnNames& names, const CsvOptions& csv);

}  // namespace heed::command
