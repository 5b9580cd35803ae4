// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/shape.h>

#include "core/check.h"

#include <ostream>

namespace heed {

Shape::Shape(std::span<const std::int64_t> sizes) {
  for (std::int64_t size : sizes) push_back(size);
}

Shape Shape::filled(std::int64_t rank, std::int64_t value) {
  Shape shape;
  for (std::int64_t i = 0; i < rank; ++i) shape.push_back(value);
  return shape;
}

void Shape::push_back(std::int64_t size) {
  check(rank_ < kMaxRank, "shape", "more than {} dimensions", kMaxRank);
  sizes_[static_cast<std::size_t>(rank_++)] = size;
}

void Shape::insert(std::int64_t position, std::int64_t size) {
  push_back(size);
  std::rotate(sizes_.begin() + position, sizes_.begin() + rank_ - 1, sizes_.begin() + rank_);
}

void Shape::erase(std::int64_t position) noexcept {
  std::copy(sizes_.begin() + position + 1, sizes_.begin() + rank_, sizes_.begin() + position);
  --rank_;
}

std::int64_t Shape::numel() const {
  std::int64_t product = 1;
  bool overflow = false;
  bool zero = false;
  for (std::int64_t size : *this) {
    zero = zero || size == 0;
    overflow = overflow || __builtin_mul_overflow(product, size, &product);
  }
  if (zero) return 0;
  check(!overflow, "shape", "{} has more than 2^63 elements", *this);
  return product;
}

std::string to_string(const Shape& shape) {
  return shape.rank() == 1 ? fmt::format("({},)", shape[0])
                           : fmt::format("({})", fmt::join(shape.begin(), shape.end(), ", "));
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << to_string(shape); }

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  Shape result = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  const std::int64_t lead = result.rank() - shorter.rank();
  for (std::int64_t i = 0; i < shorter.rank(); ++i) {
    std::int64_t& size = result[lead + i];
    check(size == shorter[i] || size == 1 || shorter[i] == 1, "broadcast", "shapes {} and {} do not match", a,
          b);
    if (size == 1) size = shorter[i];
  }
  return result;
}

}  // namespace heed
