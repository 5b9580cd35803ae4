// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One element type to another, defined for every value: floating to i64 saturates and takes NaN to 0.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

namespace heed {

template <class To, class From>
constexpr To convert(From x) noexcept {
  if constexpr (std::same_as<To, bool>) {
    return x != From{0};
  } else if constexpr (std::same_as<To, std::int64_t> && std::floating_point<From>) {
    // 2^63 is the first value too large; -2^63 itself fits.
    if (x >= From{0x1p63}) return std::numeric_limits<To>::max();
    if (x >= From{-0x1p63}) return static_cast<To>(x);
    return x != x ? To{0} : std::numeric_limits<To>::min();
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace heed
