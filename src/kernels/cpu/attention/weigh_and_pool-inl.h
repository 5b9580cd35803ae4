// Weighing and pooling in one go, for one value feature: beside a score that takes a few operations, storing weights and
// reading them again takes a fifth of the time. To the bits of weighing first and pooling then.
#pragma once

#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/pool-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Whether pooled sums of these values may flush denormal numbers to 0: none is so small that it would be missed.
template <class T>
bool values_may_flush(const T* values, std::int64_t stride, std::int64_t count) {
  constexpr T kSmall = static_cast<T>(1e-18);
  std::int64_t j = 0;
  auto missed = Mask<T>(false);
  for (; stride == 1 && j + kLanes<T> <= count; j += kLanes<T>) {
    const Vec<T> x = load(values + j);
    missed = missed | !((x == set(T{0})) | (xsimd::abs(x) >= set(kSmall)));
  }
  bool may = !xsimd::any(missed);
  for (; may && j < count; ++j) {
    const T x = values[j * stride];
    may = x == 0 || x >= kSmall || x <= -kSmall;
  }
  return may;
}

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
    for (int r = 0; r < kKeys; ++r) product[r][v] = set(T{0});
  }
  for (; count > 0; count -= kKeys) {
    Vec<T> x[kKeys][kVecs];
    relative_tile<T, Score, kKeys, kVecs>(score, t, TileKind::kOnline, x);
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
