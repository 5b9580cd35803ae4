// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Where to predict: numbers, grids, or a file.
#pragma once

#include <heed/table.h>
#include <heed/tensor.h>

#include <string>
#include <vector>

namespace heed::command {

/// What `--at` was given, for the columns `x_names`, as (m, D) of f64:
///
///     57 60,61 40:70:31     with one column: numbers and grids (start:stop:count)
///     57,170 40:70:31,170   with several: a number or grid for each of them; grids are combined
///     new.csv               a file: the columns of these names, or (m, D) of any other format. Missing values stay.
///
/// An Error if it is none of these.
Tensor read_places(const std::vector<std::string>& arguments, const std::vector<std::string>& x_names,
                   const CsvOptions& csv);

}  // namespace heed::command
