// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Checks that the attention modules share.
#pragma once

#include <heed/tensor.h>

#include <string_view>

namespace heed::nn {

/// queries, keys and values of one dtype, (B, L, size) or (L, size) all three, with one B and one Lk.
void check_sequences(std::string_view module, const Tensor& queries, const Tensor& keys,
                     const Tensor& values);

/// x must be (..., expected); `name` is the option that says so.
void check_width(std::string_view module, const Tensor& x, std::string_view argument, std::int64_t expected,
                 std::string_view name);

/// Weights can be asked for only after a forward.
void check_forwarded(std::string_view module, bool forwarded);

}  // namespace heed::nn
