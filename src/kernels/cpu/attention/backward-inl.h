// Backward of a chunk of keys against a span of queries. Weights are recomputed from the log-sum-exp.
//
//   p = exp(s - lse)   dv_j += p_ij do_i   ds_ij = p_ij (do_i . v_j - delta_i)   then the score's gradient
#pragma once

#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/recompute-inl.h"
#include "kernels/cpu/attention/score_gradient-inl.h"
#include "kernels/cpu/attention/weight_gradient-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct BackwardScratch {
  RecomputeScratch<T> recompute;
  T *grads, *scores, *factors, *values, *grad_rows, *out_row, *delta;

  BackwardScratch(const AttendProblem& p, std::int64_t features, Arena& arena)
      : recompute(p, features, arena) {
    constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
    grads = arena.take<T>(p.Dv * kWidth);
    scores = arena.take<T>(kBlock * kWidth);
    factors = p.dropout.threshold > 0 ? arena.take<T>(kBlock * kWidth) : nullptr;
    values = arena.take<T>(kBlock * p.Dv);
    grad_rows = arena.take<T>(kWidth * p.Dv);
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
        weights_(f.problem, f.log_sum_exp, score, scratch.recompute) {}

  void run() {
    const std::int64_t group = p_.H / p_.Hkv, rows = task_.query_end - task_.query_begin;
    for (std::int64_t h = 0; h < group; ++h) {
      for (std::int64_t i = task_.query_begin; i < task_.query_end; i += kWidth) {
        const std::int64_t left = task_.query_end - i;
        query_block({task_.b, task_.hkv * group + h, i, static_cast<int>(left < kWidth ? left : kWidth)},
                    static_cast<T*>(task_.queries) + (h * rows + i - task_.query_begin) * p_.D);
      }
    }
    gradient_.weights(static_cast<T*>(task_.weights));
  }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;

  void query_block(const QueryBlock& block, T* partial) {
    if (f_.grad_queries.data) std::fill_n(partial, block.count * p_.D, T{0});
    weights_.begin(block);
    const KeyRange keys = weights_.keys(task_.key_begin, task_.key_end);
    if (keys.first >= keys.last) return;
    weights_.prepare();
    prepare_rows(block);
    gradient_.begin({rows_of<T>(p_.queries, block.b, block.h, block.i), block.count, weights_.used(),
                     weights_.queries(), partial});
    for (std::int64_t begin = keys.first / kBlock * kBlock; begin < keys.last; begin += kBlock) {
      key_block(block, begin, begin + kBlock < p_.Lk ? begin + kBlock : p_.Lk);
    }
    if (f_.grad_queries.data) gradient_.end();
  }

  /// Output gradients in rows and packed; delta = grad_lse - sum_c do_c o_c.
  void prepare_rows(const QueryBlock& block) {
    const Rows<T> grad = rows_of<T>(f_.grad_out, block.b, block.h, block.i);
    const Rows<T> out = rows_of<T>(f_.out, block.b, block.h, block.i);
    const T* grad_lse = static_cast<const T*>(f_.grad_log_sum_exp);
    if (grad_lse) grad_lse += (block.b * p_.H + block.h) * p_.Lq + block.i;
    for (int lane = 0; lane < (block.count + kN - 1) / kN * kN; ++lane) {
      s_.delta[lane] = 0;
      if (lane >= block.count) continue;
      T* row = s_.grad_rows + lane * p_.Dv;
      if (!weights_.used()[lane]) {
        std::fill_n(row, p_.Dv, T{0});
        continue;
      }
      copy_row(grad, lane, row);
      const T* o = out.at(lane);
      if (out.column != 1) {
        copy_row(out, lane, s_.out_row);
        o = s_.out_row;
      }
      s_.delta[lane] = (grad_lse ? grad_lse[lane] : T{0}) - dot(row, o, p_.Dv);
    }
    pack<T>({s_.grad_rows, p_.Dv, 1}, block.count, p_.Dv, T{1}, s_.grads);
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
    if (task_.values) pool_value_gradients(block, w.weights, begin, keys);
    if (f_.grad_bias.data) add_bias_gradients(block, begin, keys);
    if (w.slope) through_softcap(w.slope, keys);
    T* grad_keys =
        task_.keys ? static_cast<T*>(task_.keys) + (begin - task_.key_begin) * task_.key_stride : nullptr;
    gradient_.add({s_.scores, keys, vectors, w.packed_keys, w.key_rows, w.masked, grad_keys, task_.key_stride,
                   f_.grad_queries.data != nullptr});
  }

  void through_softcap(const T* slope, int keys) {
    for (std::int64_t n = 0; n < keys * kWidth; n += kN) {
      // Where nothing was weighed the slope is whatever was there.
      const Vec<T> x = load(s_.scores + n);
      store(s_.scores + n, xsimd::select(x == set(T{0}), x, x * load(slope + n)));
    }
  }

  void pool_value_gradients(const QueryBlock& block, const T* weights, std::int64_t begin, int keys) {
    T* out = static_cast<T*>(task_.values) + (begin - task_.key_begin) * task_.value_stride;
    pool<T>(keys, p_.Dv, [&](int first, int) {
      return pool_onto<T>(out + first * task_.value_stride, task_.value_stride, weights + first * kWidth, 1,
                          kWidth, {s_.grad_rows, p_.Dv, 1}, block.count);
    });
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
  Recompute<T, Score> weights_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
