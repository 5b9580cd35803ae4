// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Pooling of few value features, as regression has them: queries along the lanes, for features would leave most of them empty.
#pragma once

#include "kernels/cpu/attention/layout-inl.h"
#include "kernels/cpu/attention/transpose-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Sums side by side that cover the latency of an addition. Keys start at a tile: whole rounds of sums in it keep a key's sum
/// the same wherever a neighbour's keys begin or end.
template <int kColumns>
inline constexpr int kPoolSums = kColumns == 1   ? 3
                                 : kColumns == 2 ? 2
                                                 : 1;

/// out[c][i] += sum_j weights[j][i] values[j][c], queries along the lanes: for few columns. kVecs vectors share a value.
template <class T, int kColumns, int kVecs>
void pool_lanes_of(const T* weights, const T* values, std::int64_t stride, std::int64_t count, T* out) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  constexpr int kSums = kPoolSums<kColumns>;
  static_assert(Layout<T>::kKeys % kSums == 0);
  Vec<T> sum[kSums][kColumns][kVecs];
  const auto each = [&](const auto& body) HEED_INLINE_LAMBDA {
    HEED_UNROLL
    for (int c = 0; c < kColumns; ++c) {
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) body(c, v);
    }
  };
  HEED_UNROLL
  for (int n = 0; n < kSums; ++n) {
    each([&](int c, int v) HEED_INLINE_LAMBDA { sum[n][c][v] = set(T{0}); });
  }
  const auto add = [&](int n, std::int64_t j) HEED_INLINE_LAMBDA {
    Vec<T> value[kColumns];
    HEED_UNROLL
    for (int c = 0; c < kColumns; ++c) value[c] = set(values[j * stride + c]);
    HEED_UNROLL
    for (int v = 0; v < kVecs; ++v) {
      const Vec<T> weight = load(weights + j * kWidth + v * kN);
      HEED_UNROLL
      for (int c = 0; c < kColumns; ++c) sum[n][c][v] = fma(weight, value[c], sum[n][c][v]);
    }
  };
  std::int64_t j = 0;
  for (; j + kSums <= count; j += kSums) {
    HEED_UNROLL
    for (int n = 0; n < kSums; ++n) add(n, j + n);
  }
  HEED_UNROLL
  for (int n = 0; n < kSums; ++n) {
    if (j + n < count) add(n, j + n);
  }
  each([&](int c, int v) HEED_INLINE_LAMBDA {
    T* p = out + c * kWidth + v * kN;
    HEED_UNROLL
    for (int n = 1; n < kSums; ++n) sum[0][c][v] = sum[0][c][v] + sum[n][c][v];
    store(p, load(p) + sum[0][c][v]);
  });
}

template <class T>
void pool_lanes(const T* weights, const T* values, std::int64_t stride, std::int64_t columns,
                std::int64_t count, int vectors, T* out) {
  by_tile_width<T>(vectors, [&]<int kVecs>(int first) {
    const T* w = weights + first * kLanes<T>;
    T* o = out + first * kLanes<T>;
    if (columns == 1) pool_lanes_of<T, 1, kVecs>(w, values, stride, count, o);
    if (columns == 2) pool_lanes_of<T, 2, kVecs>(w, values, stride, count, o);
    if (columns == 3) pool_lanes_of<T, 3, kVecs>(w, values, stride, count, o);
    if (columns == 4) pool_lanes_of<T, 4, kVecs>(w, values, stride, count, o);
  });
}

/// The way back, values' gradients: out[j][c] = sum_i weights[j][i] grads[c][i], or that added to it.
template <class T>
void pool_lanes_of_queries(const T* weights, const T* grads, int vectors, std::int64_t columns, int keys,
                           bool onto, T* out, std::int64_t stride) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  // The sums of kN keys are added up lane by lane together; what lies after the last key is not used.
  static_assert(Layout<T>::kBlock % kN == 0);
  for (int j = 0; j < keys; j += kN) {
    for (std::int64_t c = 0; c < columns; ++c) {
      Vec<T> sum[kN];
      HEED_UNROLL
      for (int n = 0; n < kN; ++n) sum[n] = set(T{0});
      for (int v = 0; v < vectors; ++v) {
        const Vec<T> grad = load(grads + c * kWidth + v * kN);
        HEED_UNROLL
        for (int n = 0; n < kN; ++n) sum[n] = fma(load(weights + (j + n) * kWidth + v * kN), grad, sum[n]);
      }
      T sums[kN];
      store(sums, lane_sums<T>(sum));
      for (int n = 0; n < kN && j + n < keys; ++n) {
        T& to = out[(j + n) * stride + c];
        to = onto ? to + sums[n] : sums[n];
      }
    }
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
