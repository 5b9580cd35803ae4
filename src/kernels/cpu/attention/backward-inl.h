// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Backward of a piece of a chunk of keys against a span of queries. Weights are recomputed from the log-sum-exp.
//
//   p = exp(s - lse)   dv_j += p_ij do_i   ds_ij = p_ij (do_i . v_j - delta_i)   then the score's gradient
#pragma once

#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/pool_few-inl.h"
#include "kernels/cpu/attention/recompute-inl.h"
#include "kernels/cpu/attention/score_gradient-inl.h"
#include "kernels/cpu/attention/weight_gradient-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct BackwardScratch {
  RecomputeScratch<T> recompute;
  T *grads, *scores, *factors, *values, *grad_rows, *finite_rows, *few_grads, *out_row, *delta;

  BackwardScratch(const AttendProblem& p, std::int64_t features, Arena& arena)
      : recompute(p, features, arena) {
    constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
    grads = arena.take<T>(p.Dv * kWidth);
    scores = arena.take<T>(kBlock * kWidth);
    factors = p.dropout.threshold > 0 ? arena.take<T>(kBlock * kWidth) : nullptr;
    values = arena.take<T>(kBlock * p.Dv);
    grad_rows = arena.take<T>(kWidth * p.Dv);
    finite_rows = arena.take<T>(kWidth * p.Dv);
    few_grads = arena.take<T>(kWidth * kFewColumns);
    out_row = arena.take<T>(p.Dv);
    delta = arena.take<T>(kWidth);
  }
};

template <class T, class Score, class Gradient>
class BackwardSpan {
 public:
  BackwardSpan(const AttendBackward& f, const BackwardTask& task, Score& score, Gradient& gradient,
               const BackwardScratch<T>& scratch)
      : f_(f),
        p_(f.problem),
        task_(task),
        gradient_(gradient),
        s_(scratch),
        block_end_(std::min(task.block_end, (task.key_end - task.key_begin + kBlock - 1) / kBlock)),
        scaled_(!f.grad_bias.data && moderate(Gradient::factor(f.problem))),
        factor_(scaled_ ? Gradient::factor(f.problem) : T{1}),
        weights_(f.problem, f.log_sum_exp, score, scratch.recompute) {}

  void run() {
    const std::int64_t group = p_.H / p_.Hkv,
                       of_head = (task_.query_end - task_.query_begin + kWidth - 1) / kWidth,
                       row_end = std::min(task_.row_end, group * of_head);
    if (task_.row_begin == 0)
      std::fill(task_.keys_met + task_.block_begin, task_.keys_met + block_end_, false);
    for (std::int64_t row = task_.row_begin; row < row_end; ++row) {
      const std::int64_t h = row / of_head, i = task_.query_begin + row % of_head * kWidth,
                         left = task_.query_end - i,
                         at = h * task_.query_head_stride + (i - task_.query_begin) * task_.query_stride;
      query_block({task_.b, task_.hkv * group + h, i, static_cast<int>(left < kWidth ? left : kWidth)},
                  static_cast<T*>(task_.queries) + at, task_.rows_met[row]);
    }
    if (row_end == group * of_head) clear_unmet();
  }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;

  /// Whether something times the factor is as good as it was: not where it would leave the range.
  static bool moderate(T factor) {
    constexpr T kMost = 1 << 20;
    return factor <= kMost && factor >= -kMost && (factor >= 1 / kMost || factor <= -1 / kMost);
  }

  std::int64_t block_begin(std::int64_t n) const {
    return std::min(task_.key_begin + n * kBlock, task_.key_end);
  }

  void query_block(const QueryBlock& block, T* grad, bool& met) {
    weights_.begin(block);
    const std::int64_t first = block_begin(task_.block_begin), last = block_begin(block_end_);
    const KeyRange keys = weights_.keys(first, last);
    if (task_.block_begin == 0) met = false;
    first_keys_ = !met;
    fetch_after(block);
    if (keys.first < keys.last) {
      weights_.prepare();
      prepare_rows(block);
      gradient_.begin({rows_of<T>(p_.queries, block.b, block.h, block.i), block.count, weights_.used(),
                       weights_.queries(), scaled_, grad, task_.query_stride});
      const std::int64_t skipped = (keys.first - first) / kBlock * kBlock;
      for (std::int64_t begin = first + skipped; begin < keys.last; begin += kBlock) {
        key_block(block, begin, std::min(begin + kBlock, task_.key_end));
      }
    }
    met = !first_keys_;
    if (!task_.queries || last < task_.key_end) return;
    if (first_keys_) {
      clear_rows(grad, task_.query_stride, block.count, p_.D);
    } else if (!scaled_) {
      scale_rows(grad, task_.query_stride, block.count, p_.D, Gradient::factor(p_));
    }
  }

  /// Rows of the query block that is likely to come next.
  void fetch_after(const QueryBlock& block) {
    coming_.clear();
    const bool same_head = block.i + kWidth < p_.Lq;
    const std::int64_t h = same_head ? block.h : block.h + 1, i = same_head ? block.i + kWidth : 0;
    if (h == p_.H) return;
    const int count = static_cast<int>(std::min<std::int64_t>(kWidth, p_.Lq - i));
    coming_.add(row_of<T>(p_.queries, block.b, h, i), p_.queries.row, count, p_.D);
    coming_.add(row_of<T>(f_.grad_out, block.b, h, i), f_.grad_out.row, count, p_.Dv);
    coming_.add(row_of<T>(f_.out, block.b, h, i), f_.out.row, count, p_.Dv);
  }

  static void clear_rows(T* rows, std::int64_t stride, std::int64_t count, std::int64_t width) {
    for (std::int64_t i = 0; i < count; ++i) std::fill_n(rows + i * stride, width, T{0});
  }

  static void scale_rows(T* rows, std::int64_t stride, std::int64_t count, std::int64_t width, T factor) {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t d = 0; d < width; ++d) rows[i * stride + d] *= factor;
    }
  }

  T* weight_sums(std::int64_t n) const {
    return task_.weights ? static_cast<T*>(task_.weights) + n * p_.D : nullptr;
  }

  /// Keys that no query attends to.
  void clear_unmet() {
    for (std::int64_t n = task_.block_begin; n < block_end_; ++n) {
      const std::int64_t at = n * kBlock, count = block_begin(n + 1) - block_begin(n);
      if (task_.keys_met[n]) continue;
      if (task_.weights) std::fill_n(weight_sums(n), p_.D, T{0});
      if (task_.keys)
        clear_rows(static_cast<T*>(task_.keys) + at * task_.key_stride, task_.key_stride, count, p_.D);
      if (task_.values)
        clear_rows(static_cast<T*>(task_.values) + at * task_.value_stride, task_.value_stride, count, p_.Dv);
    }
  }

  /// Output gradients in rows, as they are, and packed; delta = grad_lse - sum_c do_c o_c.
  void prepare_rows(const QueryBlock& block) {
    const Rows<T> grad = rows_of<T>(f_.grad_out, block.b, block.h, block.i);
    const Rows<T> out = rows_of<T>(f_.out, block.b, block.h, block.i);
    const T* grad_lse = static_cast<const T*>(f_.grad_log_sum_exp);
    if (grad_lse) grad_lse += (block.b * p_.H + block.h) * p_.Lq + block.i;
    bool in_place = grad.column == 1;
    for (int lane = 0; lane < block.count; ++lane) in_place = in_place && weights_.used()[lane];
    grad_rows_ = in_place ? grad : Rows<T>{s_.grad_rows, p_.Dv, 1};
    for (int lane = 0; lane < (block.count + kN - 1) / kN * kN; ++lane) {
      s_.delta[lane] = 0;
      if (lane >= block.count) continue;
      T* copy = s_.grad_rows + lane * p_.Dv;
      if (!weights_.used()[lane]) {
        std::fill_n(copy, p_.Dv, T{0});
        continue;
      }
      if (!in_place) copy_row(grad, lane, copy);
      const T* o = out.at(lane);
      if (out.column != 1) {
        copy_row(out, lane, s_.out_row);
        o = s_.out_row;
      }
      s_.delta[lane] = factor_ * ((grad_lse ? grad_lse[lane] : T{0}) - dot(grad_rows_.at(lane), o, p_.Dv));
    }
    pack<T>(grad_rows_, block.count, p_.Dv, factor_, s_.grads);
    if (p_.Dv <= kFewColumns) pack<T>(grad_rows_, block.count, p_.Dv, T{1}, s_.few_grads);
    // Is there anything in a row that is not finite, it shows in the row's delta.
    finite_ = all_finite(s_.delta, block.count);
  }

  void copy_row(const Rows<T>& from, int i, T* to) const {
    const T* x = from.at(i);
    if (from.column == 1) {
      std::copy_n(x, p_.Dv, to);
    } else {
      for (std::int64_t c = 0; c < p_.Dv; ++c) to[c] = x[c * from.column];
    }
  }

  static T dot(const T* a, const T* b, std::int64_t count) {
    Vec<T> sum = set(T{0});
    std::int64_t c = 0;
    for (; c + kN <= count; c += kN) sum = fma(load(a + c), load(b + c), sum);
    const int left = static_cast<int>(count - c);
    if (left > 0) sum = fma(load_first(a + c, left), load_first(b + c, left), sum);
    return xsimd::hadd(sum);
  }

  void key_block(const QueryBlock& block, std::int64_t begin, std::int64_t end) {
    const WeighedBlock<T> w = weights_.weigh(begin, end);
    if (w.none) return;
    const int vectors = (block.count + kN - 1) / kN, keys = static_cast<int>(end - begin);
    const Rows<T> v = unit_columns(rows_of<T>(p_.values, block.b, task_.hkv, begin), keys, p_.Dv, s_.values);
    if (s_.factors) {
      block_dropout<T>(p_.dropout, {block.b, block.h, block.i, begin}, keys, vectors, s_.factors);
    }
    weight_gradients<T>(
        {v, p_.Dv, s_.grads, s_.delta, w.weights, s_.scores, s_.factors, keys, vectors, w.masked});
    const std::int64_t n = (begin - task_.key_begin) / kBlock;
    bool& met = task_.keys_met[n];
    if (task_.values) add_value_gradients(block, w, begin, keys, met);
    if (f_.grad_bias.data) add_bias_gradients(block, begin, keys);
    if (w.slope) through_softcap(w.slope, keys);
    T* grad_keys =
        task_.keys ? static_cast<T*>(task_.keys) + (begin - task_.key_begin) * task_.key_stride : nullptr;
    gradient_.add({s_.scores, keys, vectors, w.packed_keys, w.key_rows, w.masked, grad_keys, task_.key_stride,
                   weight_sums(n), task_.queries != nullptr, first_keys_, !met});
    met = true;
    first_keys_ = false;
  }

  void through_softcap(const T* slope, int keys) {
    for (std::int64_t n = 0; n < keys * kWidth; n += kN) {
      // Where nothing was weighed the slope is whatever was there.
      const Vec<T> x = load(s_.scores + n);
      store(s_.scores + n, xsimd::select(x == set(T{0}), x, x * load(slope + n)));
    }
  }

  void add_value_gradients(const QueryBlock& block, const WeighedBlock<T>& w, std::int64_t begin, int keys,
                           bool met) {
    T* out = static_cast<T*>(task_.values) + (begin - task_.key_begin) * task_.value_stride;
    const bool all = finite_ || !w.masked;
    if (p_.Dv <= kFewColumns && all) {
      pool_lanes_of_queries<T>(w.weights, s_.few_grads, (block.count + kN - 1) / kN, p_.Dv, keys, met, out,
                               task_.value_stride);
      return;
    }
    PoolTask<T> task = pool_onto<T>(out, task_.value_stride, w.weights, 1, kWidth,
                                    all ? grad_rows_ : finite_rows(block), block.count);
    if (!met) task.from = nullptr;
    pool<T>(keys, p_.Dv, task, [&](PoolTask<T>& tile, int, int) { coming_.fetch_with(tile); });
    if (!all) add_other_rows(block.count, w.weights, keys, out);
  }

  bool row_finite(int lane) const { return s_.delta[lane] - s_.delta[lane] == 0; }

  /// Output gradients with 0 for rows that are not finite: beside a pair that does not take part they would become NaN.
  Rows<T> finite_rows(const QueryBlock& block) const {
    for (int lane = 0; lane < block.count; ++lane) {
      T* row = s_.finite_rows + lane * p_.Dv;
      row_finite(lane) ? std::copy_n(grad_rows_.at(lane), p_.Dv, row) : std::fill_n(row, p_.Dv, T{0});
    }
    return {s_.finite_rows, p_.Dv, 1};
  }

  /// The rows that finite_rows leaves out, for the keys that they attend to.
  void add_other_rows(int rows, const T* weights, int keys, T* out) const {
    for (int lane = 0; lane < rows; ++lane) {
      if (row_finite(lane)) continue;
      const T* grad = grad_rows_.at(lane);
      for (int j = 0; j < keys; ++j) {
        const T weight = weights[j * kWidth + lane];
        for (std::int64_t c = 0; weight != 0 && c < p_.Dv; ++c)
          out[j * task_.value_stride + c] += weight * grad[c];
      }
    }
  }

  void add_bias_gradients(const QueryBlock& block, std::int64_t begin, int keys) {
    for (int lane = 0; lane < block.count; ++lane) {
      T* row = row_of<T>(f_.grad_bias, block.b, block.h, block.i + lane) + begin * f_.grad_bias.column;
      for (int j = 0; j < keys; ++j) row[j * f_.grad_bias.column] += s_.scores[j * kWidth + lane];
    }
  }

  const AttendBackward& f_;
  const AttendProblem& p_;
  const BackwardTask& task_;
  Gradient& gradient_;
  const BackwardScratch<T>& s_;
  std::int64_t block_end_;
  /// What scores' gradients are multiplied by anyway costs nothing as a factor of the output's gradient. A bias wants them as they
  /// are.
  bool scaled_;
  T factor_;
  Rows<T> grad_rows_{};  ///< output gradients of the query block; 0 for rows without pairs
  bool finite_ = true;   ///< all rows of the query block
  bool first_keys_ = true;
  ComingRows<T> coming_;
  Recompute<T, Score> weights_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
