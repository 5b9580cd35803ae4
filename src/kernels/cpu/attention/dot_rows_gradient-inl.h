// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Backward of few query rows with dot products, features along the lanes.
//
// A run of keys at a time: scores and output gradients times values as the forward has its scores, from them the gradient of
// every score, row by row; keys', values' and queries' gradients are then pooled from runs that are still near.
#pragma once

#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/exp2-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/row_gradient-inl.h"
#include "kernels/cpu/attention/row_scores-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
class DotRowsGradient {
 public:
  DotRowsGradient(const AttendBackward& f, const BackwardTask& task, Arena& arena)
      : f_(f),
        p_(f.problem),
        task_(task),
        rows_(p_, {task.b, task.hkv}),
        row_scores_(p_, arena),
        row_pulls_(p_.Dv, T{1}, arena),
        run_(arena),
        pulls_(arena.take<T>(kFewRows * kRunKeys)),
        slope_(p_.softcap > 0 ? arena.take<T>(kRunKeys) : nullptr),
        factors_(p_.dropout.threshold > 0 ? arena.take<T>(kRunKeys) : nullptr),
        queries_(arena.take<T>(kFewRows * p_.D)),
        grad_queries_(arena.take<T>(kFewRows * p_.D)),
        grad_out_(arena.take<T>(kFewRows * p_.Dv)),
        keys_(p_.keys.column == 1 ? nullptr : arena.take<T>(kRunKeys * p_.D)),
        values_(p_.values.column == 1 ? nullptr : arena.take<T>(kRunKeys * p_.Dv)) {}

  void run() {
    rows_.find_ranges();
    std::fill_n(grad_queries_, rows_.count() * p_.D, T{0});
    bool far = false;
    for (int r = 0; r < rows_.count(); ++r) {
      known_[r] = known_row(f_, rows_, r, grad_out_ + r * p_.Dv);
      load_query(r);
      row_pulls_.load_query(r, grad_out_ + r * p_.Dv, 1);
      far = far || is_far(r);
    }
    finite_rows_ = all_rows_finite<T>({queries_, p_.D, 1}, rows_.count(), p_.D) &&
                   all_rows_finite<T>({grad_out_, p_.Dv, 1}, rows_.count(), p_.Dv);
    if (far) find_references();
    for (std::int64_t key = task_.key_begin; key < task_.key_end; key += kRunKeys) {
      run_of_keys(key, static_cast<int>(std::min<std::int64_t>(task_.key_end - key, kRunKeys)));
    }
    for (int r = 0; task_.queries && r < rows_.count(); ++r) {
      std::copy_n(grad_queries_ + r * p_.D, p_.D, query_gradient<T>(task_, p_.Lq, r));
    }
  }

 private:
  static constexpr int kN = kLanes<T>;

  bool is_far(int r) const { return known_[r].used && too_far_for_weights(known_[r].reference); }

  /// Twice, scaled for scores and as it is. A query that attends to nothing may be anything.
  void load_query(int r) {
    T* query = queries_ + r * p_.D;
    if (known_[r].used) {
      const T* row = rows_.row(p_.queries, r);
      for (std::int64_t d = 0; d < p_.D; ++d) query[d] = row[d * p_.queries.column];
    } else {
      rows_.leave_out(r);
      std::fill_n(query, p_.D, T{0});
    }
    row_scores_.load_query(r, query, 1);
  }

  Rows<T> keys_of_run() {
    return unit_columns(rows_of<T>(p_.keys, task_.b, task_.hkv, run_.begin), run_.keys, p_.D, keys_);
  }

  /// The log-sum-exp has lost the digits that matter: the largest score and the sum take its place.
  void find_references() {
    Vec<T> most[kFewRows], sum[kFewRows];
    T largest[kFewRows];
    for (int r = 0; r < rows_.count(); ++r) {
      most[r] = set(kMinusInf<T>);
      sum[r] = set(T{0});
    }
    each_far_vector([&](int r, Vec<T> x) { most[r] = xsimd::max(most[r], x); });
    for (int r = 0; r < rows_.count(); ++r) largest[r] = largest_lane<T>(most[r]);
    each_far_vector([&](int r, Vec<T> x) { sum[r] = sum[r] + exp2(x - set(largest[r])); });
    for (int r = 0; r < rows_.count(); ++r) {
      if (is_far(r)) known_[r] = {true, largest[r], 1 / xsimd::hadd(sum[r]), known_[r].delta};
    }
  }

  /// body(r, exponents) for all keys of the rows that are far.
  template <class Body>
  void each_far_vector(const Body& body) {
    rows_.each_run(0, p_.Lk, [&](std::int64_t key, int keys) {
      if (!rows_.look(key, keys, run_)) return;
      const Rows<T> k = keys_of_run();
      for (int j = 0; j < keys; j += kStep) {
        row_scores_.score(k, j, std::min(kStep, keys - j), rows_.count(), run_.scores);
      }
      for (int r = 0; r < rows_.count(); ++r) {
        if (!is_far(r)) continue;
        rows_.finish(r, run_, nullptr);
        for (int j = 0; j < keys; j += kN) body(r, load(run_.scores + r * kRunKeys + j));
      }
    });
  }

  void run_of_keys(std::int64_t key, int keys) {
    T *grad_keys = row_at(task_.keys, task_.key_stride, key),
      *grad_values = row_at(task_.values, task_.value_stride, key);
    if (!rows_.look(key, keys, run_)) {
      clear(grad_keys, task_.key_stride, keys, p_.D);
      clear(grad_values, task_.value_stride, keys, p_.Dv);
      return;
    }
    const Rows<T> k = keys_of_run(),
                  v = unit_columns(rows_of<T>(p_.values, task_.b, task_.hkv, key), keys, p_.Dv, values_);
    for (int j = 0; j < keys; j += kStep) {
      const int count = std::min(kStep, keys - j);
      row_scores_.score(k, j, count, rows_.count(), run_.scores);
      row_pulls_.score(v, j, count, rows_.count(), pulls_);
    }
    for (int r = 0; r < rows_.count(); ++r) score_gradients(r);
    pool_keys(run_.scores, {grad_out_, p_.Dv, 1}, p_.Dv, grad_values, task_.value_stride);
    pool_keys(pulls_, {queries_, p_.D, 1}, p_.D, grad_keys, task_.key_stride);
    if (task_.queries) pool_queries(k);
  }

  T* row_at(void* rows, std::int64_t stride, std::int64_t key) const {
    return rows ? static_cast<T*>(rows) + (key - task_.key_begin) * stride : nullptr;
  }

  /// Scores of row r become its weights, dropped where there is dropout, and its pulls the gradients of scores, times the
  /// score's scale.
  void score_gradients(int r) {
    const KnownRow<T>& row = known_[r];
    T *scores = run_.scores + r * kRunKeys, *pulls = pulls_ + r * kRunKeys;
    rows_.finish(r, run_, slope_);
    if (factors_) {
      row_dropout<T>(p_.dropout, {task_.b, rows_.head(r), rows_.query(r), run_.begin}, run_.keys, factors_);
    }
    const Vec<T> zero = set(T{0});
    for (int j = 0; j < run_.keys; j += kN) {
      const auto active = run_.plain ? Mask<T>(true) : run_.active(r, j);
      const Vec<T> factor = factors_ ? load(factors_ + j) : set(T{1}),
                   weight = exp2(load(scores + j) - set(row.reference)) * set(row.scale),
                   pull = fma(load(pulls + j), factor, set(row.delta));
      store(scores + j, xsimd::select(active, weight * factor, zero));
      store(pulls + j, xsimd::select(active, weight * pull, zero));
    }
    if (f_.grad_bias.data) add_bias_gradients(r, pulls);
    for (int j = 0; j < run_.keys; j += kN) {
      const Vec<T> pull = load(pulls + j) * set(static_cast<T>(p_.scale));
      // Beside a weight of 0 the slope may be that of anything.
      store(pulls + j, slope_ ? xsimd::select(pull == zero, zero, pull * load(slope_ + j)) : pull);
    }
  }

  void add_bias_gradients(int r, const T* pulls) {
    T* grad = rows_.row(f_.grad_bias, r) + run_.begin * f_.grad_bias.column;
    for (int j = 0; j < run_.keys; ++j) grad[j * f_.grad_bias.column] += pulls[j];
  }

  /// out (keys, width) = sum over rows of factors (rows, kRunKeys) times what each row has in `from`.
  void pool_keys(const T* factors, const Rows<T>& from, std::int64_t width, T* out, std::int64_t stride) {
    if (!out) return;
    PoolTask<T> task = pool_onto<T>(out, stride, factors, kRunKeys, 1, from, rows_.count());
    task.from = nullptr;
    if (run_.whole || finite_rows_) return pool<T>(run_.keys, width, task);
    for (int j = 0; j < run_.keys; ++j) {
      pool_some(task, width, [&](std::int64_t r) { return run_.rows[j] >> r & 1; });
      task.move_rows(1);
    }
  }

  /// grad_queries_ += sum over keys
  void pool_queries(const Rows<T>& k) {
    PoolTask<T> task = pool_onto<T>(grad_queries_, p_.D, pulls_, 1, kRunKeys, k, run_.keys);
    if (run_.whole || all_rows_finite(k, run_.keys, p_.D)) return pool<T>(rows_.count(), p_.D, task);
    for (int r = 0; r < rows_.count(); ++r) {
      pool_some(task, p_.D, [&](std::int64_t j) { return run_.rows[j] >> r & 1; });
      task.move_rows(1);
    }
  }

  /// One row as `pool` has it, to the same bits, of those that take part: what does not may be NaN, and must not meet even a
  /// factor of 0.
  template <class TakesPart>
  static void pool_some(const PoolTask<T>& t, std::int64_t width, const TakesPart& takes_part) {
    for (std::int64_t c = 0; c < width; c += kN) {
      const int columns = static_cast<int>(std::min<std::int64_t>(width - c, kN));
      Vec<T> sum = set(T{0});
      for (std::int64_t n = 0; n < t.count; ++n) {
        if (!takes_part(n)) continue;
        sum = fma(set(t.weights[n * t.weight_stride]), load_first(t.values + n * t.value_stride + c, columns),
                  sum);
      }
      if (t.from) sum = sum + load_first(t.from + c, columns);
      store_first(t.out + c, sum, columns);
    }
  }

  static void clear(T* rows, std::int64_t stride, int count, std::int64_t width) {
    for (int j = 0; rows && j < count; ++j) std::fill_n(rows + j * stride, width, T{0});
  }

  static constexpr int kStep = DotRows<T>::kStep;
  const AttendBackward& f_;
  const AttendProblem& p_;
  const BackwardTask& task_;
  FewRows<T> rows_;
  DotRows<T> row_scores_, row_pulls_;
  KeyRun<T> run_;
  T* pulls_;             ///< (rows, kRunKeys): do . v, then the gradients of scores
  T *slope_, *factors_;  ///< (kRunKeys): the softcap's derivative and dropout's factors; none: there is none
  T *queries_, *grad_queries_;  ///< (rows, D)
  T* grad_out_;                 ///< (rows, Dv)
  T *keys_, *values_;
  KnownRow<T> known_[kFewRows];
  bool finite_rows_ = true;  ///< all of queries_ and grad_out_
};

}  // namespace heed::kernels::cpu::HEED_TIER
