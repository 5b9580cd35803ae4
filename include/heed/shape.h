// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Shape, Strides, Dims: short lists of integers kept inline, so that a view allocates nothing for them.
#pragma once

#include <heed/export.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string>

namespace heed {

inline constexpr std::int64_t kMaxRank = 8;

/// Sizes (or strides, in elements) of a tensor, outermost first. More than kMaxRank entries is an Error.
class HEED_API Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
  explicit Shape(std::span<const std::int64_t> sizes);

  /// `rank` entries, all `value`.
  static Shape filled(std::int64_t rank, std::int64_t value);

  std::int64_t rank() const noexcept { return rank_; }
  bool empty() const noexcept { return rank_ == 0; }

  std::int64_t operator[](std::int64_t i) const noexcept { return sizes_[static_cast<std::size_t>(i)]; }
  std::int64_t& operator[](std::int64_t i) noexcept { return sizes_[static_cast<std::size_t>(i)]; }
  std::int64_t back() const noexcept { return (*this)[rank_ - 1]; }

  const std::int64_t* begin() const noexcept { return sizes_.data(); }
  const std::int64_t* end() const noexcept { return sizes_.data() + rank_; }
  const std::int64_t* data() const noexcept { return sizes_.data(); }

  void push_back(std::int64_t size);
  void insert(std::int64_t position, std::int64_t size);
  void erase(std::int64_t position) noexcept;

  /// Product of the sizes; 1 for a scalar. Overflow is an Error.
  std::int64_t numel() const;

  friend bool operator==(const Shape& a, const Shape& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<std::int64_t, kMaxRank> sizes_{};
  std::int64_t rank_ = 0;
};

using Strides = Shape;

/// A choice of dimensions; negative ones count from the end. `sum(x, -1)`, `sum(x, {0, 2})`.
class Dims : public Shape {
 public:
  Dims() = default;
  Dims(std::int64_t dim) : Shape{dim} {}  // NOLINT(google-explicit-constructor): one dim is the usual case
  Dims(std::initializer_list<std::int64_t> dims) : Shape(dims) {}
};

/// "(2, 3)", "(4,)", "()" as Python writes it.
HEED_API std::string to_string(const Shape& shape);
HEED_API std::ostream& operator<<(std::ostream& out, const Shape& shape);

/// The shape two operands broadcast to, NumPy's rule; an Error naming both if they do not.
HEED_API Shape broadcast_shapes(const Shape& a, const Shape& b);

}  // namespace heed
