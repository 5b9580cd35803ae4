// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which keys lengths and band leave to a query row, and the entries of a row of an operand. Always inlined: simd-inl.h says why.
#pragma once

#include "kernels/attention.h"

#include <algorithm>

namespace heed::kernels::cpu {

/// Keys [first, last) that row i of batch b may attend to by lengths and band; first = last = 0 if none.
struct KeyRange {
  std::int64_t first, last;
};
[[gnu::always_inline]] inline KeyRange key_range(const AttendProblem& p, std::int64_t b, std::int64_t i) {
  std::int64_t stop = std::min(p.Lk, i + p.mask.high + 1);
  if (p.mask.valid_lens) {
    stop = std::min(stop, p.mask.valid_lens[b * p.mask.lens_batch_stride + i * p.mask.lens_row_stride]);
  }
  const std::int64_t start = std::max<std::int64_t>(i + p.mask.low, 0);
  return start < stop ? KeyRange{start, stop} : KeyRange{0, 0};
}

/// Entry j of row (b, h, i) of an operand with elements of type T.
template <class T>
struct RowEntries {
  const T* data;
  std::int64_t column;

  [[gnu::always_inline]] RowEntries(const HeadedMatrix& m, std::int64_t b, std::int64_t h, std::int64_t i)
      : data(static_cast<const T*>(m.data) + b * m.batch + h * m.head + i * m.row), column(m.column) {}
  [[gnu::always_inline]] T operator[](std::int64_t j) const { return data[j * column]; }
};

}  // namespace heed::kernels::cpu
