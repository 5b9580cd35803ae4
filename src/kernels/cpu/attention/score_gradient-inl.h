// From gradients of scores to gradients of queries, keys and score weights, for scores that are sums over features of
// something of (k_d, q_d).
#pragma once

#include "kernels/cpu/attention/layout-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// One (key block, query block): queries packed, keys in rows.
template <class T>
struct ScoreGradientTask {
  const T* scores;  ///< (keys, kQueries): d loss / d score
  int keys, vectors;
  const T* queries;  ///< packed, as the score's tile takes them
  const T* key_rows;
  std::int64_t key_stride;
  T* grad_queries;  ///< (D, kQueries), packed
  T* grad_keys;
  std::int64_t grad_key_stride;
  T* grad_weights;  ///< (D)
};

/// Contributions of one vector of pairs.
template <class T>
struct FeatureGradient {
  Vec<T> query, key, weight;
};

/// feature(d, k, q, score) for every feature, key and vector of queries.
template <class T, class Feature>
HEED_INLINE void each_feature(const ScoreGradientTask<T>& t, std::int64_t D, const Feature& feature) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  for (std::int64_t d = 0; d < D; ++d) {
    Vec<T> weight = set(T{0});
    for (int j = 0; j < t.keys; ++j) {
      const Vec<T> k = set(t.key_rows[j * t.key_stride + d]);
      Vec<T> key = set(T{0});
      for (int v = 0; v < t.vectors; ++v) {
        const std::int64_t lanes = d * kWidth + v * kN;
        const Vec<T> score = load(t.scores + j * kWidth + v * kN);
        // A score gradient of 0 is a pair that does not take part, or might as well not: k may be anything there.
        const FeatureGradient<T> g = feature(d, k, load(t.queries + lanes), score);
        const auto none = score == set(T{0});
        const Vec<T> zero = set(T{0});
        store(t.grad_queries + lanes, load(t.grad_queries + lanes) + xsimd::select(none, zero, g.query));
        key = key + xsimd::select(none, zero, g.key);
        weight = weight + xsimd::select(none, zero, g.weight);
      }
      t.grad_keys[j * t.grad_key_stride + d] += xsimd::hadd(key);
    }
    t.grad_weights[d] += xsimd::hadd(weight);
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
