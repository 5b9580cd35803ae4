// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/layout.h"

#include <algorithm>
#include <limits>

namespace heed::io {

std::uint64_t size_of(FileType type) noexcept {
  switch (type) {
    case FileType::kBool:
    case FileType::kI8:
    case FileType::kU8: return 1;
    case FileType::kI16:
    case FileType::kU16:
    case FileType::kF16:
    case FileType::kBf16: return 2;
    case FileType::kI32:
    case FileType::kU32:
    case FileType::kF32: return 4;
    case FileType::kI64:
    case FileType::kU64:
    case FileType::kF64: return 8;
  }
  return 0;
}

Dtype dtype_of(FileType type) noexcept {
  switch (type) {
    case FileType::kBool: return boolean;
    case FileType::kF16:
    case FileType::kBf16:
    case FileType::kF32: return f32;
    case FileType::kF64: return f64;
    default: return i64;
  }
}

Layout with_shape(Layout layout, std::span<const std::uint64_t> sizes, const Place& place) {
  check_at(sizes.size() <= static_cast<std::size_t>(kMaxRank), place, "shape",
           "expected at most {} dimensions, found {}", kMaxRank, sizes.size());
  // A size of 0 empties the tensor, but its strides are products of the other sizes. In memory an element may take
  // more bytes than in the file.
  const std::uint64_t widest =
      std::max<std::uint64_t>(size_of(layout.type), heed::size_of(dtype_of(layout.type)));
  std::uint64_t product = 1;
  bool fits = true;
  bool empty = false;
  for (const std::uint64_t size : sizes) {
    empty = empty || size == 0;
    fits = fits && !__builtin_mul_overflow(product, std::max<std::uint64_t>(size, 1), &product);
  }
  std::uint64_t in_memory = 0;
  fits = fits && !__builtin_mul_overflow(product, widest, &in_memory) &&
         in_memory <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  check_at(fits, place, "shape", "({}) has more than 2^63 bytes", fmt::join(sizes, ", "));
  layout.shape = {};
  for (const std::uint64_t size : sizes) layout.shape.push_back(static_cast<std::int64_t>(size));
  layout.bytes = empty ? 0 : product * size_of(layout.type);
  return layout;
}

}  // namespace heed::io
