// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The order of numbers by size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::regression {

/// Where the smallest stands, the next, ...; equal numbers keep their order. They are finite, and fewer than 2^32.
std::vector<std::uint32_t> sorted_order(std::span<const double> x);

}  // namespace heed::regression
