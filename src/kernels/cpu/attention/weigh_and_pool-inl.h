// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Weighing and pooling in one go, for one value feature: beside a score that takes a few operations, storing weights and
// reading them again takes a fifth of the time. To the bits of weighing first and pooling then.
#pragma once

#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/pool_few-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// What is pooled while denormal numbers are flushed has the bits it would have otherwise if it is not this small: what was
/// flushed on the way is far below its last digit.
template <class T>
inline constexpr T kSmallestPooled = static_cast<T>(sizeof(T) == 4 ? 0x1p-60 : 0x1p-500);

/// `count` keys, a multiple of kPoolSums<1>: weights go into the lanes' sums and, times values, into `pooled`, of one value
/// feature. Tiles are so small that all of these stay in registers.
template <class T, class Score, int kVecs>
__attribute__((noinline)) void weigh_and_pool_lanes(const Score& score, TileTask<T> t, std::int64_t count,
                                                    const T* values, std::int64_t stride, T* pooled) {
  constexpr int kN = kLanes<T>, kKeys = kPoolSums<1>;
  Vec<T> sum[kVecs], product[kKeys][kVecs];
  HEED_UNROLL
  for (int v = 0; v < kVecs; ++v) {
    sum[v] = load(t.lanes.sum + v * kN);
    HEED_UNROLL
    for (Vec<T>(&row)[kVecs] : product) row[v] = set(T{0});
  }
  for (; count > 0; count -= kKeys) {
    Vec<T> x[kKeys][kVecs];
    relative_tile<T, Score, kKeys, kVecs, false>(score, t, TileKind::kOnline, x);
    HEED_UNROLL
    for (int r = 0; r < kKeys; ++r) {
      const Vec<T> value = set(values[r * stride]);
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) {
        const Vec<T> e = weight_of(x[r][v]);
        sum[v] = sum[v] + e;
        product[r][v] = fma(e, value, product[r][v]);
      }
    }
    t.keys += kKeys * t.key_stride;
    values += kKeys * stride;
  }
  HEED_UNROLL
  for (int v = 0; v < kVecs; ++v) {
    store(t.lanes.sum + v * kN, sum[v]);
    HEED_UNROLL
    for (int r = 1; r < kKeys; ++r) product[0][v] = product[0][v] + product[r][v];
    store(pooled + v * kN, product[0][v]);
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
