// sum_d w_d tanh(k_d + q_d), directly: tanh(x) = 1 - 2 / (1 + e^2x), right for every range.
#pragma once

#include "kernels/cpu/attention/score_gradient-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct AdditiveScore {
  static constexpr T kTwice = static_cast<T>(2 * 1.4426950408889634);  ///< e^2x = 2^(kTwice x)
  std::int64_t D;
  const T* weight;   ///< (D): w log2(e)
  const T* natural;  ///< (D): w itself

  template <int kKeys, int kVecs>
  HEED_INLINE void tile(const T* keys, std::int64_t stride, const T* queries,
                        Vec<T> (&sum)[kKeys][kVecs]) const {
    constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
    for (std::int64_t d = 0; d < D; ++d) {
      const Vec<T> w = set(weight[d]);
      for (int r = 0; r < kKeys; ++r) {
        const Vec<T> k = set(keys[r * stride + d]);
        for (int v = 0; v < kVecs; ++v) {
          const Vec<T> e = exp2((k + load(queries + d * kWidth + v * kN)) * set(kTwice));
          sum[r][v] = xsimd::fma(w, set(T{1}) - set(T{2}) / (set(T{1}) + e), sum[r][v]);
        }
      }
    }
  }

  void gradient(const ScoreGradientTask<T>& t) const {
    each_feature(t, D, [&](std::int64_t d, Vec<T> k, Vec<T> q, Vec<T> score) {
      const Vec<T> e = exp2((k + q) * set(kTwice));
      const Vec<T> th = set(T{1}) - set(T{2}) / (set(T{1}) + e);
      const Vec<T> slope = score * set(natural[d]) * xsimd::fnma(th, th, set(T{1}));
      return FeatureGradient<T>{slope, slope, score * th};
    });
  }
};

}  // namespace heed::kernels::cpu::HEED_TIER
