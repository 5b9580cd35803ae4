// Dot products: queries packed with scale * log2(e), so that a score is already an exponent of 2.
#pragma once

#include "kernels/cpu/attention/layout-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct DotScore {
  std::int64_t D;

  /// sum[r][v] += k_r . q_v for kKeys key rows `stride` apart and kVecs vectors of packed queries.
  template <int kKeys, int kVecs>
  HEED_INLINE void tile(const T* keys, std::int64_t stride, const T* queries,
                        Vec<T> (&sum)[kKeys][kVecs]) const {
    constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
    const auto step = [&](std::int64_t d) HEED_INLINE_LAMBDA {
      Vec<T> q[kVecs];
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) q[v] = load(queries + d * kWidth + v * kN);
      HEED_UNROLL
      for (int r = 0; r < kKeys; ++r) {
        const Vec<T> k = set(keys[r * stride + d]);
        HEED_UNROLL
        for (int v = 0; v < kVecs; ++v) sum[r][v] = xsimd::fma(k, q[v], sum[r][v]);
      }
    };
    // Two features at a time, and with them one cache line of the next tile: 16 features x 8 rows are 8 lines.
    const std::int64_t even = D & ~std::int64_t{1};
    for (std::int64_t d = 0; d < even;) {
      const std::int64_t line_end = even - d < 16 ? even : d + 16;
      const T* next = keys + kKeys * stride + d;
      for (; d < line_end; d += 2) {
        __builtin_prefetch(next, 0, 3);
        next += stride;
        step(d);
        step(d + 1);
      }
    }
    if (even < D) step(even);
  }
};

}  // namespace heed::kernels::cpu::HEED_TIER
