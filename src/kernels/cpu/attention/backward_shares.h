// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Where the tasks of a backward pass write the gradient of queries, keys or values, several of them for the same rows.
#pragma once

#include "kernels/cpu/attention/workspace.h"

namespace heed::kernels::cpu {

template <class T>
T* element(const HeadedMatrix& m, std::int64_t b, std::int64_t h, std::int64_t row) {
  return static_cast<T*>(m.data) + b * m.batch + h * m.head + row * m.row;
}

/// 0 in all of (B, H, rows, columns); no data: nothing.
template <class T>
void clear(const HeadedMatrix& m, std::int64_t B, std::int64_t H, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t n = 0; m.data && n < B * H * rows; ++n) {
    std::fill_n(element<T>(m, n / (H * rows), n / rows % H, n % rows), columns, T{0});
  }
}

/// A key-value head under way.
struct HeadPlace {
  std::int64_t b, hkv, at;  ///< at: its place in memory for partial sums
};

/// What one task writes: rows `row` apart, heads of a group `head` apart.
template <class T>
struct Share {
  T* data;
  std::int64_t head, row;
};

/// `count` shares in each row of a gradient (heads, group, rows, width): the first is the gradient itself, the others lie in
/// memory of their own, which has places for `at_once` heads.
template <class T>
class Shares {
 public:
  Shares(const HeadedMatrix& grad, std::int64_t group, std::int64_t rows, std::int64_t width,
         std::int64_t count, std::int64_t at_once)
      : grad_(grad),
        group_(group),
        rows_(rows),
        width_(width),
        others_(count - 1),
        memory_(grad.data ? static_cast<std::size_t>(at_once * others_ * group * rows * width) : 0) {}

  /// The n-th from row `begin` on.
  Share<T> of(const HeadPlace& head, std::int64_t n, std::int64_t begin) const {
    if (!grad_.data) return {nullptr, 0, 0};
    if (n == 0) return {row(head, 0, begin), grad_.head, grad_.row};
    return {other(head, n - 1) + begin * width_, rows_ * width_, width_};
  }

  /// Rows [begin, end) of the gradient += the others, in order.
  void add(Dtype dtype, const AttentionTier& tier, const HeadPlace& head, std::int64_t begin,
           std::int64_t end) const {
    for (std::int64_t n = 0; grad_.data && n < group_ * others_; ++n) {
      const std::int64_t h = n / others_;
      const T* from = other(head, n % others_) + h * rows_ * width_;
      // All of them at a time where they lie side by side.
      const std::int64_t rows = grad_.row == width_ ? end - begin : 1;
      for (std::int64_t i = begin; i < end; i += rows) {
        tier.add(dtype, from + i * width_, rows * width_, row(head, h, i));
      }
    }
  }

 private:
  T* row(const HeadPlace& head, std::int64_t h, std::int64_t i) const {
    return element<T>(grad_, head.b, head.hkv * group_ + h, i);
  }
  T* other(const HeadPlace& head, std::int64_t n) const {
    return memory_.data() + (head.at * others_ + n) * group_ * rows_ * width_;
  }

  HeadedMatrix grad_;
  std::int64_t group_, rows_, width_, others_;
  detail::Workspace<T> memory_;
};

}  // namespace heed::kernels::cpu
