// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Gradient of the additive score. With r = 1 / (1 + A B): d tanh = 4 (r - r^2), so
//
//   dq_i += 4 w sum_j g_ij (r - r^2)    dk_j += 4 w sum_i g_ij (r - r^2)    dw += sum_ij g_ij (1 - 2 r)
//
// Features lie along the lanes, so that no sum is horizontal; four vectors of them share one reciprocal.
#pragma once

#include "kernels/cpu/attention/score_additive-inl.h"
#include "kernels/cpu/attention/score_gradient-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
class AdditiveGradient {
 public:
  AdditiveGradient(const AttendProblem& p, AdditiveScore<T>& score, Arena& arena)
      : D_(p.D),
        features_(AdditiveScore<T>::features(p)),
        score_(score),
        queries_(arena.take<T>(kWidth * features_)),
        keys_(arena.take<T>(kBlock * features_)),
        reciprocals_(arena.take<T>(features_)),
        zeros_(arena.take<T>(4 * kN)),
        wide_scores_(arena.take<T>(kBlock * kWidth)),
        direct_{arena.take<T>(p.D * kWidth), arena.take<T>(p.D)} {
    if (zeros_) std::fill_n(zeros_, 4 * kN, T{0});
  }

  void begin(const QueryRows<T>& q) { q_ = q; }

  static T factor(const AttendProblem&) { return 1; }

  void add(const ScoreGradientTask<T>& t) {
    t.clear_first(q_, D_);
    if (score_.any_wide()) add_wide(t);
    std::fill_n(reciprocals_, features_, T{0});
    // Rows of so many keys and of their gradients stay in the L1 cache for all queries.
    constexpr int kStep = 32;
    for (int j = 0; j < t.keys; j += kStep) {
      const int count = t.keys - j < kStep ? t.keys - j : kStep;
      score_.cut() ? all_terms<true>(t, j, count) : all_terms<false>(t, j, count);
    }
    for (int j = 0; t.grad_keys && j < t.keys; ++j) add_slopes(keys_ + j * features_, t.grad_key_at(j));
    for (int i = 0; t.want_queries && i < q_.count; ++i) add_slopes(queries_ + i * features_, q_.grad_at(i));
    if (!t.grad_weights) return;
    const T sum = sum_of(t);
    for (std::int64_t d = 0; d < D_; ++d) t.grad_weights[d] += sum - 2 * reciprocals_[d];
  }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;

  /// Keys [first, first + count), all queries and features.
  template <bool kCut>
  void all_terms(const ScoreGradientTask<T>& t, int first, int count) {
    std::int64_t d = 0;
    for (; d + 4 * kN <= features_; d += 4 * kN) terms<kCut, 4>(t, first, count, d);
    const std::int64_t left = (features_ - d) / kN;
    if (left == 3) terms<kCut, 3>(t, first, count, d);
    if (left == 2) terms<kCut, 2>(t, first, count, d);
    if (left == 1) terms<kCut, 1>(t, first, count, d);
  }

  /// kVecs vectors of features from d on.
  template <bool kCut, int kVecs>
  __attribute__((noinline)) void terms(const ScoreGradientTask<T>& t, int first, int count, std::int64_t d) {
    Vec<T> weight[kVecs];
    HEED_UNROLL
    for (int n = 0; n < kVecs; ++n) weight[n] = load(reciprocals_ + d + n * kN);
    // Two queries share what is loaded and stored for a key, where there are registers for both.
    constexpr int kRows = kRegisters == 32 ? 2 : 1;
    int i = 0;
    for (; i + kRows <= q_.count; i += kRows) row_terms<kCut, kVecs, kRows>(t, first, count, d, i, weight);
    for (; i < q_.count; ++i) row_terms<kCut, kVecs, 1>(t, first, count, d, i, weight);
    HEED_UNROLL
    for (int n = 0; n < kVecs; ++n) store(reciprocals_ + d + n * kN, weight[n]);
  }

  /// Queries [i, i + kRows). Sums begin with the first query and the first key. The vectors of a pair share a reciprocal: only
  /// features of one pair may, or the bits of a row would depend on its neighbours.
  template <bool kCut, int kVecs, int kRows>
  HEED_INLINE void row_terms(const ScoreGradientTask<T>& t, int first, int count, std::int64_t d, int i,
                             Vec<T> (&weight)[kVecs]) {
    Vec<T> a[kRows][kVecs], grad[kRows][kVecs];
    HEED_UNROLL
    for (int row = 0; row < kRows; ++row) {
      HEED_UNROLL
      for (int n = 0; n < kVecs; ++n) {
        a[row][n] = load(score_.query_exponentials(i + row) + d + n * kN);
        grad[row][n] = first == 0 ? set(T{0}) : load(queries_ + (i + row) * features_ + d + n * kN);
      }
    }
    const T* score = t.scores + first * kWidth + i;
    const T* key = t.packed_keys.at(first) + d;
    T* grad_key = keys_ + first * features_ + d;
    const T* before = i == 0 ? zeros_ : grad_key;
    const std::int64_t key_stride = t.packed_keys.row, features = features_,
                       before_stride = i == 0 ? 0 : features;
    for (int j = 0; j < count; ++j) {
      Vec<T> sum[kVecs];
      HEED_UNROLL
      for (int n = 0; n < kVecs; ++n) sum[n] = load(before + n * kN);
      HEED_UNROLL
      for (int row = 0; row < kRows; ++row) {
        // x[n] = 1 + A B, r[n] = 1 / x[n].
        Vec<T> x[kVecs], r[kVecs];
        HEED_UNROLL
        for (int n = 0; n < kVecs; ++n) {
          x[n] = fma(a[row][n], load(key + n * kN), set(T{1}));
          if (kCut) x[n] = xsimd::min(set(AdditiveLimits<T>::kDenominator), x[n]);
        }
        reciprocals(x, r);
        const Vec<T> g = set(score[row]);
        HEED_UNROLL
        for (int n = 0; n < kVecs; ++n) {
          const Vec<T> slope = fnma(r[n], r[n], r[n]);
          grad[row][n] = fma(g, slope, grad[row][n]);
          sum[n] = fma(g, slope, sum[n]);
          weight[n] = fma(g, r[n], weight[n]);
        }
      }
      HEED_UNROLL
      for (int n = 0; n < kVecs; ++n) store(grad_key + n * kN, sum[n]);
      score += kWidth;
      key += key_stride;
      grad_key += features;
      before += before_stride;
    }
    HEED_UNROLL
    for (int row = 0; row < kRows; ++row) {
      HEED_UNROLL
      for (int n = 0; n < kVecs; ++n) store(queries_ + (i + row) * features_ + d + n * kN, grad[row][n]);
    }
  }

  /// r[n] = 1 / x[n], all from the reciprocal of one product.
  template <int kVecs>
  static HEED_INLINE void reciprocals(const Vec<T> (&x)[kVecs], Vec<T> (&r)[kVecs]) {
    if constexpr (kVecs == 4) {
      const Vec<T> low = x[0] * x[1], high = x[2] * x[3], inverse = reciprocal(low * high);
      const Vec<T> inverse_low = inverse * high, inverse_high = inverse * low;
      r[0] = inverse_low * x[1];
      r[1] = inverse_low * x[0];
      r[2] = inverse_high * x[3];
      r[3] = inverse_high * x[2];
    } else {
      Vec<T> product[kVecs];
      HEED_UNROLL
      for (int n = 0; n < kVecs; ++n) product[n] = n == 0 ? x[0] : product[n - 1] * x[n];
      Vec<T> inverse = reciprocal(product[kVecs - 1]);
      HEED_UNROLL
      for (int n = kVecs - 1; n > 0; --n) {
        r[n] = inverse * product[n - 1];
        inverse = inverse * x[n];
      }
      r[0] = inverse;
    }
  }

  void add_slopes(const T* slopes, T* grad) const {
    const T* w = score_.natural();
    std::int64_t d = 0;
    for (; d + kN <= D_; d += kN)
      store(grad + d, load(grad + d) + set(T{4}) * load(w + d) * load(slopes + d));
    for (; d < D_; ++d) grad[d] += 4 * w[d] * slopes[d];
  }

  T sum_of(const ScoreGradientTask<T>& t) const {
    Vec<T> sum = set(T{0});
    for (int j = 0; j < t.keys; ++j) {
      int i = 0;
      for (; i + kN <= q_.count; i += kN) sum = sum + load(t.scores + j * kWidth + i);
      if (i < q_.count) sum = sum + load_first(t.scores + j * kWidth + i, q_.count - i);
    }
    return xsimd::hadd(sum);
  }

  /// Wide pairs go the direct way: their scores' gradients are handled here and set to 0.
  void add_wide(const ScoreGradientTask<T>& t) {
    bool any = false;
    for (int j = 0; j < t.keys; ++j) {
      for (int i = 0; i < t.vectors * kN; ++i) {
        const bool wide = i < q_.count && score_.is_wide(j, i);
        wide_scores_[j * kWidth + i] = wide ? t.scores[j * kWidth + i] : T{0};
        any = any || wide;
        if (wide) t.scores[j * kWidth + i] = 0;
      }
    }
    if (!any) return;
    direct_.clear(D_);
    each_feature(
        t, wide_scores_, score_.direct_queries(), D_, direct_,
        [&](std::int64_t, Vec<T> k, Vec<T> q, Vec<T> score) {
          const Vec<T> th = xsimd::select(score == set(T{0}), set(T{0}), tanh_direct<T>(k + q));
          return FeatureGradient<T>{score * fnma(th, th, set(T{1})), score * th};
        },
        [&](std::int64_t d) {
          return FeatureFactors<T>{score_.natural()[d], score_.natural()[d], 1};
        });
    if (t.want_queries) add_unpacked<T>(direct_.queries, q_.count, D_, {q_.grad, q_.grad_stride});
    for (std::int64_t d = 0; t.grad_weights && d < D_; ++d) t.grad_weights[d] += direct_.weights[d];
  }

  std::int64_t D_, features_;
  AdditiveScore<T>& score_;
  T *queries_, *keys_;  ///< (rows, features): sums of g (r - r^2)
  T* reciprocals_;      ///< (features): sum of g r
  T* zeros_;            ///< a key's sums before its first query
  T* wide_scores_;
  FeatureSums<T> direct_;
  QueryRows<T> q_{};
};

}  // namespace heed::kernels::cpu::HEED_TIER
