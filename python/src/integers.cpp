// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "integers.h"

#include <heed/error.h>

#include <cstring>
#include <string>
#include <type_traits>

namespace heed::python {
namespace nb = nanobind;
namespace {

/// Entry n in row-major order: "[1, 3]"; nothing for a number on its own.
std::string position(std::int64_t n, const Shape& shape) {
  std::string text;
  for (std::int64_t dim = shape.rank() - 1; dim >= 0; --dim) {
    text = std::to_string(n % shape[dim]) + (text.empty() ? "" : ", ") + text;
    n /= shape[dim];
  }
  return text.empty() ? text : "[" + text + "]";
}

/// The integers of an array one by one, as i64.
template <class T>
Tensor widened(const std::byte* data, const Shape& shape, const std::optional<Strides>& strides,
               const char* where) {
  Tensor wide = empty(shape, i64);
  auto* to = wide.mutable_data<std::int64_t>();
  const Strides& from = strides ? *strides : wide.strides();
  for (std::int64_t n = 0; n < wide.numel(); ++n) {
    T entry;
    std::memcpy(&entry, data + offset_of(n, shape, from) * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    if (std::is_same_v<T, std::uint64_t> && static_cast<std::uint64_t>(entry) > std::uint64_t{INT64_MAX}) {
      refuse_entry(wide, static_cast<std::size_t>(n), nb::int_(entry), where);
    }
    to[n] = static_cast<std::int64_t>(entry);
  }
  return wide;
}

}  // namespace

std::int64_t offset_of(std::int64_t n, const Shape& shape, const Strides& strides) {
  std::int64_t offset = 0;
  for (std::int64_t dim = shape.rank() - 1; dim >= 0; n /= shape[dim], --dim)
    offset += n % shape[dim] * strides[dim];
  return offset;
}

void refuse_entry(const Tensor& x, std::size_t n, nb::handle found, const char* where) {
  throw Error(where + position(static_cast<std::int64_t>(n), x.shape()) + " is " + nb::str(found).c_str() +
              ", expected a whole number of 64 bits");
}

Widen widening(const nb::dlpack::dtype& dtype) {
  if (dtype == nb::dtype<std::int8_t>()) return widened<std::int8_t>;
  if (dtype == nb::dtype<std::int16_t>()) return widened<std::int16_t>;
  if (dtype == nb::dtype<std::int32_t>()) return widened<std::int32_t>;
  if (dtype == nb::dtype<std::uint8_t>()) return widened<std::uint8_t>;
  if (dtype == nb::dtype<std::uint16_t>()) return widened<std::uint16_t>;
  if (dtype == nb::dtype<std::uint32_t>()) return widened<std::uint32_t>;
  if (dtype == nb::dtype<std::uint64_t>()) return widened<std::uint64_t>;
  return nullptr;
}

}  // namespace heed::python
