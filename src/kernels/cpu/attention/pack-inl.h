// Rows into lanes: (rows, columns) memory of any strides becomes (columns, kQueries), one row per lane.
#pragma once

#include "kernels/cpu/attention/layout-inl.h"

#include <algorithm>

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

/// out[i][c] += packed[c][i]: the way back, onto contiguous rows.
template <class T>
void unpack_add(const T* packed, int count, std::int64_t columns, T* out) {
  for (int i = 0; i < count; ++i) {
    for (std::int64_t c = 0; c < columns; ++c) out[i * columns + c] += packed[c * Layout<T>::kQueries + i];
  }
}

/// Whether x[0..count) has neither infinities nor NaN.
template <class T>
bool all_finite(const T* x, std::int64_t count) {
  constexpr int kN = kLanes<T>;
  Vec<T> zero = set(T{0});
  std::int64_t c = 0;
  for (; c + kN <= count; c += kN) zero = fma(load(x + c), set(T{0}), zero);
  if (c < count) zero = fma(load_first(x + c, static_cast<int>(count - c)), set(T{0}), zero);
  return xsimd::hadd(zero) == 0;
}

/// x with the rows that are not finite replaced by 0: x itself, or a copy in `buffer`. x has unit columns.
template <class T>
Rows<T> finite_rows(const Rows<T>& x, int count, std::int64_t columns, T* buffer) {
  int bad = 0;
  while (bad < count && all_finite(x.at(bad), columns)) ++bad;
  if (bad == count) return x;
  for (int i = 0; i < count; ++i) {
    const bool keep = all_finite(x.at(i), columns);
    for (std::int64_t c = 0; c < columns; ++c) buffer[i * columns + c] = keep ? x.at(i)[c] : T{0};
  }
  return {buffer, columns, 1};
}

}  // namespace heed::kernels::cpu::HEED_TIER
