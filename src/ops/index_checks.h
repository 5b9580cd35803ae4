// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Indices and lengths come from users: each is looked at before a kernel follows it.
#pragma once

#include <heed/tensor.h>

#include <string_view>

namespace heed {

/// Every entry of `index` (i64, any strides) in 0..last; the Error names the first that is not:
/// "embedding: indices[3] is 12, expected 0..9".
void check_entries(const Tensor& index, std::int64_t last, std::string_view op, std::string_view argument);

/// Every entry of `numbers` (f64, any strides) a whole one that i64 has; the Error names the first that is not:
/// "valid_lens: lengths[1] is 1.9, expected a whole number of 64 bits".
void check_whole(const Tensor& numbers, std::string_view op, std::string_view argument);

}  // namespace heed
