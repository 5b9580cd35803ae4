// -1/2 sum_d (w_d (k_d - q_d))^2. The difference comes first, so that large offsets do not cancel.
#pragma once

#include "kernels/cpu/attention/score_gradient-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct GaussianScore {
  std::int64_t D;
  const T* width;    ///< (D): w sqrt(log2(e) / 2), so that the squared sum is an exponent of 2
  const T* natural;  ///< (D): w itself

  template <int kKeys, int kVecs>
  HEED_INLINE void tile(const T* keys, std::int64_t stride, const T* queries,
                        Vec<T> (&sum)[kKeys][kVecs]) const {
    constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
    for (std::int64_t d = 0; d < D; ++d) {
      const Vec<T> w = set(width[d]);
      Vec<T> q[kVecs];
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) q[v] = load(queries + d * kWidth + v * kN);
      HEED_UNROLL
      for (int r = 0; r < kKeys; ++r) {
        const Vec<T> k = set(keys[r * stride + d]);
        HEED_UNROLL
        for (int v = 0; v < kVecs; ++v) {
          const Vec<T> u = (k - q[v]) * w;
          sum[r][v] = xsimd::fnma(u, u, sum[r][v]);
        }
      }
    }
  }

  /// d loss / d score = scores -> d loss / d q, k, w.
  void gradient(const ScoreGradientTask<T>& t) const {
    each_feature(t, D, [&](std::int64_t d, Vec<T> k, Vec<T> q, Vec<T> score) {
      const Vec<T> difference = k - q;
      const Vec<T> pull = score * difference;
      const Vec<T> w = set(natural[d]);
      return FeatureGradient<T>{pull * w * w, set(T{0}) - pull * w * w, set(T{0}) - pull * difference * w};
    });
  }
};

}  // namespace heed::kernels::cpu::HEED_TIER
