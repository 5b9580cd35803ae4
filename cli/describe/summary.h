// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What is in a file, in numbers.
#pragma once

#include <heed/table.h>
#include <heed/tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::command {

/// A column of a table, or a tensor.
struct Part {
  std::string name;   ///< empty for the only one of a .npy file
  std::string kind;   ///< "numbers", "text" or "empty" for a column; the element type of a tensor
  std::string shape;  ///< of a tensor
  std::int64_t missing = 0;
  std::optional<double> min = std::nullopt, mean = std::nullopt,
                        max = std::nullopt;  ///< of what is not missing
  std::string example = {};                  ///< of text: the first that is not missing
};

struct Summary {
  std::string format;                ///< "CSV", ".npz"
  std::optional<std::int64_t> rows;  ///< of a table
  std::vector<Part> parts;
};

/// A CSV file is read as `csv` says; what is neither that nor a file of tensors is an Error.
Summary summary_of(const std::string& path, const CsvOptions& csv);

}  // namespace heed::command
