// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Rows into lanes: (rows, columns) memory of any strides becomes (columns, kQueries), one row per lane.
#pragma once

#include "kernels/cpu/attention/layout-inl.h"
#include "kernels/cpu/attention/transpose-inl.h"

#include <algorithm>

namespace heed::kernels::cpu::HEED_TIER {

/// A matrix in memory; strides in elements.
template <class T>
struct Rows {
  const T* data;
  std::int64_t row, column;
  const T* at(std::int64_t i) const { return data + i * row; }
};

/// A column without gaps is as it should be already.
template <class T>
void pack_column(const T* x, int count, T scale, T* out) {
  constexpr int kN = kLanes<T>;
  int i = 0;
  for (; i + kN <= count; i += kN) store(out + i, load(x + i) * set(scale));
  if (i < count) store(out + i, load_first(x + i, count - i) * set(scale));
}

/// out[c][i] = scale * x[i][c] for i < count, in 1..kQueries; the rest of the last vector of lanes is 0, further vectors
/// are left as they are.
template <class T>
void pack(const Rows<T>& x, int count, std::int64_t columns, T scale, T* out) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  if (columns == 1 && x.row == 1) return pack_column(x.data, count, scale, out);
  for (int first = 0; first < count; first += kN) {
    std::int64_t c = 0;
    if (x.column == 1 && first + kN <= count) {
      for (; c + kN <= columns; c += kN) {
        Vec<T> rows[kN];
        load_columns<T>(x.at(first) + c, x.row, rows);
        HEED_UNROLL
        for (int i = 0; i < kN; ++i) store(out + (c + i) * kWidth + first, rows[i] * set(scale));
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

/// Where rows go.
template <class T>
struct RowsOut {
  T* data;
  std::int64_t row;
};

/// out[i][c] = packed[c][i]: the way back.
template <class T>
void unpack(const T* packed, int count, std::int64_t columns, const RowsOut<T>& out) {
  // The lines of `packed` are read again for every row, and stay near: a key block is small.
  for (int i = 0; i < count; ++i) {
    for (std::int64_t c = 0; c < columns; ++c)
      out.data[i * out.row + c] = packed[c * Layout<T>::kQueries + i];
  }
}

/// out[i][c] += packed[c][i]
template <class T>
void add_unpacked(const T* packed, int count, std::int64_t columns, const RowsOut<T>& out) {
  for (int i = 0; i < count; ++i) {
    for (std::int64_t c = 0; c < columns; ++c)
      out.data[i * out.row + c] += packed[c * Layout<T>::kQueries + i];
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

/// x has unit columns.
template <class T>
bool all_rows_finite(const Rows<T>& x, int count, std::int64_t columns) {
  constexpr int kN = kLanes<T>, kSums = 4;
  Vec<T> sum[kSums] = {set(T{0}), set(T{0}), set(T{0}), set(T{0})};
  for (int i = 0; i < count; ++i) {
    std::int64_t c = 0;
    for (; c + kSums * kN <= columns; c += kSums * kN) {
      HEED_UNROLL
      for (int n = 0; n < kSums; ++n) sum[n] = fma(load(x.at(i) + c + n * kN), set(T{0}), sum[n]);
    }
    for (; c < columns; c += kN) {
      const int left = static_cast<int>(columns - c);
      sum[0] = fma(load_first(x.at(i) + c, left < kN ? left : kN), set(T{0}), sum[0]);
    }
  }
  return xsimd::hadd((sum[0] + sum[1]) + (sum[2] + sum[3])) == 0;
}

/// A copy of x in `buffer`, which may be x itself, with the rows that are not finite replaced by 0.
template <class T>
Rows<T> finite_rows(const Rows<T>& x, int count, std::int64_t columns, T* buffer) {
  for (int i = 0; i < count; ++i) {
    const bool keep = all_finite(x.at(i), columns);
    for (std::int64_t c = 0; c < columns; ++c) buffer[i * columns + c] = keep ? x.at(i)[c] : T{0};
  }
  return {buffer, columns, 1};
}

/// The same with only the elements that are not finite replaced.
template <class T>
Rows<T> finite_elements(const Rows<T>& x, int count, std::int64_t columns, T* buffer) {
  for (int i = 0; i < count; ++i) {
    for (std::int64_t c = 0; c < columns; ++c) {
      const T element = x.at(i)[c];
      buffer[i * columns + c] = element - element == 0 ? element : T{0};
    }
  }
  return {buffer, columns, 1};
}

}  // namespace heed::kernels::cpu::HEED_TIER
