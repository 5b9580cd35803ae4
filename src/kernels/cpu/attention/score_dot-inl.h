// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Dot products: queries packed with scale * log2(e), so that a score is already an exponent of 2.
#pragma once

#include "kernels/attention.h"
#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/score_gradient-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// sum[r][v] += k_r . q_v for kKeys key rows `stride` apart and kVecs vectors of packed queries. Meanwhile the next tile's
/// keys are fetched, and the rows of `ahead`.
template <class T, int kKeys, int kVecs>
HEED_INLINE void dot_tile(std::int64_t D, const T* keys, std::int64_t stride, const T* queries,
                          const FetchedRows<T>& ahead, Vec<T> (&sum)[kKeys][kVecs]) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  const auto step = [&](std::int64_t d) HEED_INLINE_LAMBDA {
    Vec<T> q[kVecs];
    HEED_UNROLL
    for (int v = 0; v < kVecs; ++v) q[v] = load(queries + d * kWidth + v * kN);
    HEED_UNROLL
    for (int r = 0; r < kKeys; ++r) {
      const Vec<T> k = set(keys[r * stride + d]);
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) sum[r][v] = fma(k, q[v], sum[r][v]);
    }
  };
  // With every two features one line of each is fetched: line after line where rows follow one another without a gap.
  const std::int64_t even = D & ~std::int64_t{1};
  if (stride == D && ahead.stride == D) {
    const T *next = keys + kKeys * D, *fetched = ahead.data;
    for (std::int64_t d = 0; d < even; d += 2) {
      __builtin_prefetch(next, 0, 3);
      __builtin_prefetch(fetched, 0, 2);
      next += 2 * kKeys;
      fetched += 2 * kKeys;
      step(d);
      step(d + 1);
    }
  } else {
    // A line of each of 8 rows, then the next ones. The loop in the loop takes 1 to 2 % on Intel.
    for (std::int64_t d = 0; d < even;) {
      const std::int64_t line_end = even - d < 16 ? even : d + 16;
      const T *next = keys + kKeys * stride + d, *fetched = ahead.data + d;
      for (; d < line_end; d += 2) {
        __builtin_prefetch(next, 0, 3);
        __builtin_prefetch(fetched, 0, 2);
        next += stride;
        fetched += ahead.stride;
        step(d);
        step(d + 1);
      }
    }
  }
  if (even < D) step(even);
}

template <class T>
class DotScore {
 public:
  DotScore(const AttendProblem& p, const void*, Arena&)
      : D_(p.D), scale_(static_cast<T>(p.scale * 1.4426950408889634)) {}

  static std::int64_t features(const AttendProblem& p) { return p.D; }
  static constexpr bool kFromReference = false;

  void pack_queries(const Rows<T>& q, int count, T* packed) { pack<T>(q, count, D_, scale_, packed); }
  static std::int64_t prepared_row(const AttendProblem&) { return 0; }
  static void prepare_key(const AttendProblem&, const T*, std::int64_t, T*) {}
  Rows<T> pack_keys(const Rows<T>& k, std::int64_t, int count, T* buffer) {
    return unit_columns(k, count, D_, buffer);
  }

  template <int kKeys, int kVecs>
  HEED_INLINE void tile(const T* keys, std::int64_t stride, const T* queries, const FetchedRows<T>& ahead,
                        Vec<T> (&score)[kKeys][kVecs]) const {
    HEED_UNROLL
    for (int v = 0; v < kVecs; ++v) {
      HEED_UNROLL
      for (int r = 0; r < kKeys; ++r) score[r][v] = set(T{0});
    }
    dot_tile<T, kKeys, kVecs>(D_, keys, stride, queries, ahead, score);
  }

 private:
  std::int64_t D_;
  T scale_;
};

/// dq_i = scale sum_j g_ij k_j and dk_j = scale sum_i g_ij q_i: pooling.
template <class T>
class DotGradient {
 public:
  DotGradient(const AttendProblem& p, DotScore<T>&, Arena& arena)
      : D_(p.D),
        scale_(factor(p)),
        copied_queries_(arena.take<T>(kWidth * p.D)),
        copied_keys_(arena.take<T>(Layout<T>::kBlock * p.D)) {}

  /// Both gradients are linear in it.
  static T factor(const AttendProblem& p) { return static_cast<T>(p.scale); }

  void begin(const QueryRows<T>& q) {
    q_ = q;
    queries_ = q.rows;
    bool in_place = q.scaled && q.rows.column == 1;
    for (int i = 0; i < q.count; ++i) in_place = in_place && q.used[i];
    if (!in_place) copy_queries();
  }

  void add(const ScoreGradientTask<T>& t) {
    if (t.want_queries) {
      const bool all = !t.masked || all_rows_finite(t.packed_keys, t.keys, D_);
      const Rows<T> keys = all ? t.packed_keys : finite_rows(t.packed_keys, t.keys, D_, copied_keys_);
      PoolTask<T> task = pool_onto<T>(q_.grad, q_.grad_stride, t.scores, kWidth, 1, keys, t.keys);
      if (t.first_keys) task.from = nullptr;
      pool<T>(q_.count, D_, task);
    }
    if (t.grad_keys) {
      if (t.masked && queries_.data != copied_queries_ && !all_rows_finite(queries_, q_.count, D_))
        copy_queries();
      PoolTask<T> task =
          pool_onto<T>(t.grad_keys, t.grad_key_stride, t.scores, 1, kWidth, queries_, q_.count);
      if (t.first_queries) task.from = nullptr;
      pool<T>(t.keys, D_, task);
    }
  }

 private:
  static constexpr int kWidth = Layout<T>::kQueries;

  /// A query that is not finite would turn the 0 of a masked pair into NaN; its own pairs are NaN already.
  void copy_queries() {
    const T scale = q_.scaled ? T{1} : scale_;
    for (int i = 0; i < q_.count; ++i) {
      T* row = copied_queries_ + i * D_;
      for (std::int64_t d = 0; d < D_; ++d) row[d] = scale * q_.rows.at(i)[d * q_.rows.column];
      if (!q_.used[i] || !all_finite(row, D_)) std::fill_n(row, D_, T{0});
    }
    queries_ = {copied_queries_, D_, 1};
  }

  std::int64_t D_;
  T scale_;
  T *copied_queries_, *copied_keys_;
  Rows<T> queries_{};
  QueryRows<T> q_{};
};

}  // namespace heed::kernels::cpu::HEED_TIER
