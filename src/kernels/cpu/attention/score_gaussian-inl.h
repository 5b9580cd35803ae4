// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// -1/2 sum_d (w_d (k_d - q_d))^2. The difference comes first, so that large offsets do not cancel.
#pragma once

#include "kernels/attention.h"
#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/score_gradient-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
class GaussianScore {
 public:
  GaussianScore(const AttendProblem& p, const void*, Arena& arena)
      : D_(p.D), natural_(static_cast<const T*>(p.score_weights)), width_(arena.take<T>(p.D)) {
    constexpr T kFactor =
        static_cast<T>(0.8493218002880191);  // sqrt(log2(e) / 2): the sum is an exponent of 2
    for (std::int64_t d = 0; width_ && d < D_; ++d) width_[d] = natural_[d] * kFactor;
  }

  static std::int64_t features(const AttendProblem& p) { return p.D; }
  static constexpr bool kFromReference = true;

  void pack_queries(const Rows<T>& q, int count, T* packed) { pack<T>(q, count, D_, T{1}, packed); }
  static std::int64_t prepared_row(const AttendProblem&) { return 0; }
  static void prepare_key(const AttendProblem&, const T*, std::int64_t, T*) {}
  Rows<T> pack_keys(const Rows<T>& k, std::int64_t, int count, T* buffer) {
    return unit_columns(k, count, D_, buffer);
  }

  template <int kKeys, int kVecs>
  HEED_INLINE void tile(const T* keys, std::int64_t stride, const T* queries, const FetchedRows<T>&,
                        Vec<T> (&sum)[kKeys][kVecs]) const {
    Vec<T> zero[kVecs];
    HEED_UNROLL
    for (int v = 0; v < kVecs; ++v) zero[v] = set(T{0});
    tile_from<kKeys, kVecs>(keys, stride, queries, zero, sum);
  }

  /// Exponents less the lanes' references. The first term's square is exact where the reference is rounded, so this is not for
  /// references that are_far.
  template <int kKeys, int kVecs>
  HEED_INLINE void tile_from(const T* keys, std::int64_t stride, const T* queries,
                             const Vec<T> (&reference)[kVecs], Vec<T> (&sum)[kKeys][kVecs]) const {
    constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
    HEED_UNROLL
    for (int v = 0; v < kVecs; ++v) {
      HEED_UNROLL
      for (int r = 0; r < kKeys; ++r) sum[r][v] = set(T{0}) - reference[v];
    }
    for (std::int64_t d = 0; d < D_; ++d) {
      const Vec<T> w = set(width_[d]);
      Vec<T> q[kVecs];
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) q[v] = load(queries + d * kWidth + v * kN);
      HEED_UNROLL
      for (int r = 0; r < kKeys; ++r) {
        const Vec<T> k = set(keys[r * stride + d]);
        HEED_UNROLL
        for (int v = 0; v < kVecs; ++v) {
          const Vec<T> u = (k - q[v]) * w;
          sum[r][v] = fnma(u, u, sum[r][v]);
        }
      }
    }
  }

  const T* natural() const { return natural_; }

 private:
  std::int64_t D_;
  const T* natural_;  ///< (D): w
  T* width_;          ///< (D): w sqrt(log2(e) / 2)
};

template <class T>
class GaussianGradient {
 public:
  GaussianGradient(const AttendProblem& p, GaussianScore<T>& score, Arena& arena)
      : D_(p.D), w_(score.natural()), sums_{arena.take<T>(p.D * kWidth), arena.take<T>(p.D)} {}

  void begin(const QueryRows<T>& q) { q_ = q; }

  static T factor(const AttendProblem&) { return 1; }

  void add(const ScoreGradientTask<T>& t) {
    t.clear_first(q_, D_);
    sums_.clear(D_);
    each_feature(
        t, t.scores, q_.packed, D_, sums_,
        [&](std::int64_t d, Vec<T> k, Vec<T> q, Vec<T> score) HEED_INLINE_LAMBDA {
          const Vec<T> difference = xsimd::select(score == set(T{0}), set(T{0}), k - q);
          const Vec<T> pull = score * difference * set(w_[d]);
          return FeatureGradient<T>{pull, pull * difference};
        },
        [&](std::int64_t d) {
          return FeatureFactors<T>{w_[d], -w_[d], -1};
        });
    if (t.want_queries) add_unpacked<T>(sums_.queries, q_.count, D_, {q_.grad, q_.grad_stride});
    for (std::int64_t d = 0; t.grad_weights && d < D_; ++d) t.grad_weights[d] += sums_.weights[d];
  }

 private:
  static constexpr int kWidth = Layout<T>::kQueries;
  std::int64_t D_;
  const T* w_;
  FeatureSums<T> sums_;
  QueryRows<T> q_{};
};

}  // namespace heed::kernels::cpu::HEED_TIER
