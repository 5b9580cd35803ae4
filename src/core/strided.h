// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Walking strided memory one element at a time, for code where clarity beats speed.
#pragma once

#include <heed/shape.h>

#include <cstdint>

namespace heed {

/// body(offset) for each element in row-major order; offset in elements.
template <class Body>
void for_each_offset(const Shape& shape, const Strides& strides, const Body& body) {
  const std::int64_t count = shape.numel();
  Shape index = Shape::filled(shape.rank(), 0);
  std::int64_t offset = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    body(offset);
    for (std::int64_t dim = shape.rank() - 1; dim >= 0; --dim) {
      offset += strides[dim];
      if (++index[dim] < shape[dim]) break;
      offset -= strides[dim] * shape[dim];
      index[dim] = 0;
    }
  }
}

}  // namespace heed
