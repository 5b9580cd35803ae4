// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Integers as files hold them.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

namespace heed::io {

template <std::unsigned_integral T>
constexpr T byte_swapped(T x) noexcept {
  T swapped = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    swapped = static_cast<T>(static_cast<T>(swapped << (sizeof(T) > 1 ? 8U : 0U)) | (x & 0xFFU));
    x = static_cast<T>(x >> (sizeof(T) > 1 ? 8U : 0U));
  }
  return swapped;
}

/// The integer at the start of `bytes`, which are enough.
template <std::unsigned_integral T>
T from_bytes(const std::byte* bytes, std::endian order = std::endian::little) noexcept {
  T x;
  std::memcpy(&x, bytes, sizeof x);
  return order == std::endian::native ? x : byte_swapped(x);
}

/// Appends x, the least significant byte first.
template <std::unsigned_integral T>
void append_little(std::string& out, T x) {
  for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(x >> (8 * i) & 0xFFU);
}

inline std::span<const std::byte> as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace heed::io
