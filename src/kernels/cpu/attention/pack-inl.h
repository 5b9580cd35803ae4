// Rows into lanes: (rows, columns) memory of any strides becomes (columns, kQueries), one row per lane.
#pragma once

#include "kernels/cpu/attention/layout-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// A matrix in memory; strides in elements.
template <class T>
struct Rows {
  const T* data;
  std::int64_t row, column;
  const T* at(std::int64_t i) const { return data + i * row; }
};

/// out[c][i] = scale * x[i][c] for i < count; lanes beyond are 0. count in 1..kQueries.
template <class T>
void pack(const Rows<T>& x, int count, std::int64_t columns, T scale, T* out) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  for (int first = 0; first < kWidth; first += kN) {
    std::int64_t c = 0;
    if (x.column == 1 && first + kN <= count) {
      for (; c + kN <= columns; c += kN) {
        Vec<T> rows[kN];
        HEED_UNROLL
        for (int i = 0; i < kN; ++i) rows[i] = load(x.at(first + i) + c) * set(scale);
        transpose<T>(rows);
        HEED_UNROLL
        for (int i = 0; i < kN; ++i) store(out + (c + i) * kWidth + first, rows[i]);
      }
    }
    for (; c < columns; ++c) {
      for (int i = first; i < first + kN; ++i) {
        out[c * kWidth + i] = i < count ? x.at(i)[c * x.column] * scale : T{0};
      }
    }
  }
}

/// Rows [0, count) with unit column stride: x itself, or a copy in `buffer`.
template <class T>
Rows<T> unit_columns(const Rows<T>& x, std::int64_t count, std::int64_t columns, T* buffer) {
  if (x.column == 1 || columns <= 1) return {x.data, x.row, 1};
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t c = 0; c < columns; ++c) buffer[i * columns + c] = x.at(i)[c * x.column];
  }
  return {buffer, columns, 1};
}

}  // namespace heed::kernels::cpu::HEED_TIER
