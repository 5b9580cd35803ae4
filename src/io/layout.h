// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How a tensor lies in a file, once checked: nothing of it overflows, and every element type is one we convert.
#pragma once

#include "io/fault.h"

#include <heed/dtype.h>
#include <heed/shape.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heed::io {

/// Element types in files.
enum class FileType : std::uint8_t {
  kBool,
  kI8,
  kU8,
  kI16,
  kU16,
  kI32,
  kU32,
  kI64,
  kU64,
  kF16,
  kBf16,
  kF32,
  kF64
};

std::uint64_t size_of(FileType type) noexcept;
/// The type it is converted to: f16 and bf16 to f32, integers to i64, the others are themselves.
Dtype dtype_of(FileType type) noexcept;

struct Layout {
  FileType type = FileType::kF32;
  std::endian order = std::endian::little;
  bool fortran = false;  ///< the first index runs fastest
  Shape shape;
  std::uint64_t bytes = 0;  ///< product of shape and element size
};

/// The layout with `sizes` as its shape and the bytes that follow; an Error at `place` if there are too many
/// dimensions or their product does not fit in 63 bits.
Layout with_shape(Layout layout, std::span<const std::uint64_t> sizes, const Place& place);

}  // namespace heed::io
