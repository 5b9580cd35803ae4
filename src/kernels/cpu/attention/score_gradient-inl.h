// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// From gradients of scores to gradients of queries, keys and score weights: what a score's gradient is given.
#pragma once

#include "kernels/cpu/attention/layout-inl.h"
#include "kernels/cpu/attention/pack-inl.h"
#include "kernels/cpu/attention/transpose-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// The rows of one query block.
template <class T>
struct QueryRows {
  Rows<T> rows;
  int count;
  const bool* used;  ///< (count): false for rows without pairs, which may hold anything
  const T* packed;   ///< (features, kQueries)
  /// The scores' gradients come multiplied by the score's factor.
  bool scaled;
  T* grad;  ///< (count, D); complete when the query block's keys are, but for the factor where scores come without it
  std::int64_t grad_stride;
  T* grad_at(std::int64_t i) const { return grad + i * grad_stride; }
};

/// One (key block, query block).
template <class T>
struct ScoreGradientTask {
  T* scores;  ///< (keys, kQueries): d loss / d score; 0 where a pair does not take part, up to the last whole vector
  int keys, vectors;
  Rows<T> packed_keys, key_rows;
  bool masked;   ///< some pair does not take part
  T* grad_keys;  ///< none: not wanted
  std::int64_t grad_key_stride;
  T* grad_weights;  ///< (D): of the score; none: not wanted
  bool want_queries;
  bool first_keys;     ///< of this query block: the queries' gradient holds anything
  bool first_queries;  ///< of this key block: the gradients of keys and score weights hold anything

  T* grad_key_at(std::int64_t j) const { return grad_keys + j * grad_key_stride; }
  /// For gradients that only add: what holds anything becomes 0.
  void clear_first(const QueryRows<T>& q, std::int64_t D) const {
    for (int i = 0; want_queries && first_keys && i < q.count; ++i) std::fill_n(q.grad_at(i), D, T{0});
    for (int j = 0; grad_keys && first_queries && j < keys; ++j) std::fill_n(grad_key_at(j), D, T{0});
    if (grad_weights && first_queries) std::fill_n(grad_weights, D, T{0});
  }
};

/// Contributions of one vector of pairs, but for factors that all pairs share.
template <class T>
struct FeatureGradient {
  Vec<T> pull;    ///< to the gradients of query and key
  Vec<T> weight;  ///< to that of the score's weight
};
template <class T>
struct FeatureFactors {
  T query, key, weight;
};

/// Sums with queries along the lanes, for scores that are sums over features of something of (k_d, q_d).
template <class T>
struct FeatureSums {
  T* queries;  ///< (D, kQueries)
  T* weights;  ///< (D)

  void clear(std::int64_t D) const {
    std::fill_n(queries, D * Layout<T>::kQueries, T{0});
    std::fill_n(weights, D, T{0});
  }
};

/// Score weights alone, as in regression with a learnt width. Two sums, so that they do not wait for each other.
template <class T, class Feature>
HEED_INLINE Vec<T> weight_alone(const ScoreGradientTask<T>& t, const T* scores, const T* queries,
                                std::int64_t d, const Feature& feature) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  Vec<T> sum[2] = {set(T{0}), set(T{0})};
  for (int v = 0; v < t.vectors; ++v) {
    const Vec<T> q = load(queries + d * kWidth + v * kN);
    const auto add = [&](int j, Vec<T>& to) HEED_INLINE_LAMBDA {
      const Vec<T> score = load(scores + j * kWidth + v * kN);
      to = to + feature(d, set(t.key_rows.at(j)[d * t.key_rows.column]), q, score).weight;
    };
    int j = 0;
    for (; j + 2 <= t.keys; j += 2) {
      add(j, sum[0]);
      add(j + 1, sum[1]);
    }
    if (j < t.keys) add(j, sum[0]);
  }
  return sum[0] + sum[1];
}

/// feature(d, k, q, score) for every feature, key and vector of queries, and factors(d) for what becomes of the sums; `queries`
/// packed. A score gradient of 0 is a pair that does not take part, or might as well not: k and q may be anything there, and
/// what feature gives must be 0.
template <class T, class Feature, class Factors>
HEED_INLINE void each_feature(const ScoreGradientTask<T>& t, const T* scores, const T* queries,
                              std::int64_t D, const FeatureSums<T>& sums, const Feature& feature,
                              const Factors& factors) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  for (std::int64_t d = 0; d < D; ++d) {
    const FeatureFactors<T> factor = factors(d);
    if (!t.want_queries && !t.grad_keys) {
      sums.weights[d] += factor.weight * xsimd::hadd(weight_alone(t, scores, queries, d, feature));
      continue;
    }
    Vec<T> weight = set(T{0});
    // The sums of kN keys are added up lane by lane together.
    for (int j = 0; j < t.keys; j += kN) {
      Vec<T> key[kN];
      HEED_UNROLL
      for (int n = 0; n < kN; ++n) key[n] = set(T{0});
      for (int v = 0; v < t.vectors; ++v) {
        const std::int64_t lanes = d * kWidth + v * kN;
        const Vec<T> q = load(queries + lanes);
        Vec<T> query = load(sums.queries + lanes);
        HEED_UNROLL
        for (int n = 0; n < kN; ++n) {
          if (j + n >= t.keys) break;
          const Vec<T> score = load(scores + (j + n) * kWidth + v * kN);
          const FeatureGradient<T> g = feature(d, set(t.key_rows.at(j + n)[d * t.key_rows.column]), q, score);
          query = query + g.pull;
          key[n] = key[n] + g.pull;
          weight = weight + g.weight;
        }
        store(sums.queries + lanes, query);
      }
      if (!t.grad_keys) continue;
      T keys[kN];
      store(keys, lane_sums<T>(key));
      for (int n = 0; n < kN && j + n < t.keys; ++n) t.grad_key_at(j + n)[d] += factor.key * keys[n];
    }
    for (int v = 0; v < t.vectors; ++v) {
      T* query = sums.queries + d * kWidth + v * kN;
      store(query, load(query) * set(factor.query));
    }
    sums.weights[d] += factor.weight * xsimd::hadd(weight);
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
