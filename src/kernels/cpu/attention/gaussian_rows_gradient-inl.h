// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Backward of few query rows with Gaussian scores, keys along the lanes: what the kernel for few rows is to the forward.
//
// Of a run of keys everything is packed, (features, lanes); gradients of keys and values are complete after it.
#pragma once

#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/exp2-inl.h"
#include "kernels/cpu/attention/row_gradient-inl.h"
#include "kernels/cpu/attention/row_scores-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
class GaussianRowsGradient {
 public:
  GaussianRowsGradient(const AttendBackward& f, const BackwardTask& task, Arena& arena)
      : f_(f),
        p_(f.problem),
        task_(task),
        rows_(p_, {task.b, task.hkv}),
        row_scores_(p_, arena),
        run_(arena),
        slope_(p_.softcap > 0 ? arena.take<T>(kWidth) : nullptr),
        factors_(p_.dropout.threshold > 0 ? arena.take<T>(kWidth) : nullptr),
        values_(arena.take<T>(p_.Dv * kWidth)),
        grad_keys_(arena.take<T>(p_.D * kWidth)),
        grad_values_(arena.take<T>(p_.Dv * kWidth)),
        grad_out_(arena.take<T>(kFewRows * p_.Dv)),
        grad_queries_(arena.take<T>(kFewRows * p_.D * kN)),
        grad_weights_(arena.take<T>(p_.D * kN)) {}

  void run() {
    rows_.find_ranges();
    for (int r = 0; r < rows_.count(); ++r) prepare(r);
    std::fill_n(grad_queries_, rows_.count() * p_.D * kN, T{0});
    std::fill_n(grad_weights_, p_.D * kN, T{0});
    for (std::int64_t key = task_.key_begin; key < task_.key_end; key += kWidth) {
      const std::int64_t left = task_.key_end - key;
      run_of_keys(key, static_cast<int>(left < kWidth ? left : kWidth));
    }
    write_queries();
    T* weights = static_cast<T*>(task_.weights);
    for (std::int64_t d = 0; weights && d < p_.D; ++d) weights[d] = xsimd::hadd(load(grad_weights_ + d * kN));
  }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;

  void prepare(int r) {
    known_[r] = known_row(f_, rows_, r, grad_out_ + r * p_.Dv);
    if (!known_[r].used) return rows_.leave_out(r);
    row_scores_.load_query(r, rows_.row(p_.queries, r), p_.queries.column);
    if (too_far_for_weights(known_[r].reference)) find_reference(r);
  }

  /// The log-sum-exp has lost the digits that matter: the largest score and the sum take its place.
  void find_reference(int r) {
    KnownRow<T>& row = known_[r];
    Vec<T> most = set(kMinusInf<T>), sum = set(T{0});
    each_vector_of(r, [&](Vec<T> score, Mask<T> active) {
      most = xsimd::max(most, xsimd::select(active, score, set(kMinusInf<T>)));
    });
    row.reference = largest_lane<T>(most);
    each_vector_of(r, [&](Vec<T> score, Mask<T> active) {
      sum = sum + xsimd::select(active, exp2(score - set(row.reference)), set(T{0}));
    });
    row.scale = 1 / xsimd::hadd(sum);
  }

  /// body(scores, which of them take part) for all keys of row r.
  template <class Body>
  void each_vector_of(int r, const Body& body) {
    const KeyRange& range = rows_.range(r);
    for (std::int64_t key = range.first / kWidth * kWidth; key < range.last; key += kWidth) {
      const int count = static_cast<int>(std::min<std::int64_t>(p_.Lk - key, kWidth));
      if (!look(key, count)) continue;
      row_scores_.pack_keys(rows_of<T>(p_.keys, task_.b, task_.hkv, key), count);
      score(r);
      for (int lane = 0; lane < count; lane += kN) body(load(scores(r) + lane), active(r, lane));
    }
  }

  /// Finds out who takes part in a run of keys; false: nobody. Ranges alone are known already.
  bool look(std::int64_t key, int count) {
    if (!only_ranges_) return rows_.look(key, count, run_);
    run_.begin = key;
    run_.keys = count;
    return true;
  }
  Mask<T> active(int r, int lane) const {
    const std::int64_t at = run_.begin + lane;
    if (only_ranges_) return lanes_in<T>(rows_.range(r).first - at, rows_.range(r).last - at);
    return run_.plain ? lanes_in<T>(0, run_.keys - lane) : run_.active(r, lane);
  }
  T* scores(int r) const { return run_.scores + r * kRunKeys; }

  /// Of row r with the keys that are packed.
  void score(int r) {
    row_scores_.score_packed(r, run_.keys, scores(r));
    if (!only_ranges_) rows_.finish(r, run_, slope_);
  }

  void run_of_keys(std::int64_t key, int count) {
    std::fill_n(grad_keys_, p_.D * kWidth, T{0});
    std::fill_n(grad_values_, p_.Dv * kWidth, T{0});
    if (look(key, count)) {
      row_scores_.pack_keys(rows_of<T>(p_.keys, task_.b, task_.hkv, key), count);
      pack<T>(rows_of<T>(p_.values, task_.b, task_.hkv, key), count, p_.Dv, T{1}, values_);
      for (int r = 0; r < rows_.count(); ++r) row_of_keys(r);
    }
    const std::int64_t at = key - task_.key_begin;
    if (task_.keys) {
      unpack<T>(grad_keys_, count, p_.D,
                {static_cast<T*>(task_.keys) + at * task_.key_stride, task_.key_stride});
    }
    if (task_.values) {
      unpack<T>(grad_values_, count, p_.Dv,
                {static_cast<T*>(task_.values) + at * task_.value_stride, task_.value_stride});
    }
  }

  void row_of_keys(int r) {
    const KeyRange& range = rows_.range(r);
    if (range.first >= run_.begin + run_.keys || range.last <= run_.begin) return;
    score(r);
    if (only_ranges_ && !factors_) {
      for (int lane = 0; lane < run_.keys; lane += kN)
        add_features(r, lane, score_gradient<false>(r, lane, active(r, lane)));
      return;
    }
    if (factors_) {
      row_dropout<T>(p_.dropout, {task_.b, rows_.head(r), rows_.query(r), run_.begin}, run_.keys, factors_);
    }
    for (int lane = 0; lane < run_.keys; lane += kN) {
      Vec<T> grad = factors_ ? score_gradient<true>(r, lane, active(r, lane))
                             : score_gradient<false>(r, lane, active(r, lane));
      if (f_.grad_bias.data) add_bias_gradients(r, lane, grad);
      // Beside a gradient of 0 the slope may be that of anything.
      if (slope_) grad = xsimd::select(grad == set(T{0}), grad, grad * load(slope_ + lane));
      add_features(r, lane, grad);
    }
  }

  /// Of row r with a vector of keys; values' gradients on the way. Where a lane is not active, its key and
  /// value may be anything, and it must not meet the row's gradient, which may be NaN.
  template <bool kDropout>
  Vec<T> score_gradient(int r, int lane, Mask<T> active) {
    const KnownRow<T>& row = known_[r];
    const Vec<T> zero = set(T{0});
    const Vec<T> weight =
        xsimd::select(active, exp2(load(scores(r) + lane) - set(row.reference)) * set(row.scale), zero);
    const Vec<T> kept = kDropout ? weight * load(factors_ + lane) : weight;
    Vec<T> pull = kDropout ? zero : set(row.delta);
    for (std::int64_t c = 0; c < p_.Dv; ++c) {
      const Vec<T> grad = set(grad_out_[r * p_.Dv + c]);
      pull = fma(grad, load(values_ + c * kWidth + lane), pull);
      T* grad_value = grad_values_ + c * kWidth + lane;
      if (task_.values) {
        const Vec<T> sum = load(grad_value);
        store(grad_value, xsimd::select(active, fma(kept, grad, sum), sum));
      }
    }
    if (kDropout) pull = fma(pull, load(factors_ + lane), set(row.delta));
    return xsimd::select(active, weight * pull, zero);
  }

  void add_bias_gradients(int r, int lane, Vec<T> grad) {
    T lanes[kN];
    store(lanes, grad);
    T* out = rows_.row(f_.grad_bias, r) + (run_.begin + lane) * f_.grad_bias.column;
    for (int n = 0; n < std::min(kN, run_.keys - lane); ++n) out[n * f_.grad_bias.column] += lanes[n];
  }

  /// Gradients of queries, keys and the score's weights.
  void add_features(int r, int lane, Vec<T> score) {
    const Vec<T> zero = set(T{0});
    const auto none = score == zero;
    for (std::int64_t d = 0; d < p_.D; ++d) {
      const Vec<T> difference =
          load(row_scores_.packed_keys() + d * kWidth + lane) - set(row_scores_.query(r)[d]);
      const Vec<T> w = set(row_scores_.natural()[d]), by_width = score * difference * w;
      const Vec<T> towards_key = xsimd::select(none, zero, by_width * w);
      T *grad_weight = grad_weights_ + d * kN, *grad_query = grad_queries_ + (r * p_.D + d) * kN,
        *grad_key = grad_keys_ + d * kWidth + lane;
      store(grad_weight, load(grad_weight) - xsimd::select(none, zero, by_width * difference));
      if (task_.queries) store(grad_query, load(grad_query) + towards_key);
      if (task_.keys) store(grad_key, load(grad_key) - towards_key);
    }
  }

  void write_queries() {
    if (!task_.queries) return;
    for (int r = 0; r < rows_.count(); ++r) {
      T* grad = query_gradient<T>(task_, p_.Lq, r);
      for (std::int64_t d = 0; d < p_.D; ++d)
        grad[d] = xsimd::hadd(load(grad_queries_ + (r * p_.D + d) * kN));
    }
  }

  const AttendBackward& f_;
  const AttendProblem& p_;
  const BackwardTask& task_;
  FewRows<T> rows_;
  GaussianRows<T> row_scores_;
  KeyRun<T> run_;        ///< of up to kQueries keys
  T *slope_, *factors_;  ///< (kQueries): the softcap's derivative and dropout's; none: there is none
  T *values_, *grad_keys_, *grad_values_;  ///< (features, kQueries)
  T* grad_out_;                            ///< (rows, Dv)
  T *grad_queries_, *grad_weights_;        ///< (rows, D, lanes), (D, lanes)
  KnownRow<T> known_[kFewRows];
  /// Nothing but ranges of keys says who takes part, and nothing is done to scores.
  bool only_ranges_ = !p_.bias.data && !p_.mask.allowed.data && !(p_.softcap > 0);
};

}  // namespace heed::kernels::cpu::HEED_TIER
