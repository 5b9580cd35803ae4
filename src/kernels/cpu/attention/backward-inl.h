// Backward of a chunk of keys against a span of queries. Weights are recomputed from the log-sum-exp.
//
//   p = exp(s - lse)   dv_j += p_ij do_i   ds_ij = p_ij (do_i . v_j - delta_i)   then the score's gradient
#pragma once

#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/score_gradient-inl.h"
#include "kernels/cpu/attention/weight_gradient-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct BackwardScratch {
  T *queries, *grads, *weights, *scores, *extra, *factors, *slope;
  T *keys, *values, *grad_rows, *out_row, *unwanted;
  T *reference, *sum, *low, *high, *largest, *delta;
  bool* used;

  BackwardScratch(const AttendProblem& p, std::int64_t features, Arena& arena) {
    constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
    queries = arena.take<T>(features * kWidth);
    grads = arena.take<T>(p.Dv * kWidth);
    for (T** tile : {&weights, &scores, &extra, &slope}) *tile = arena.take<T>(kBlock * kWidth);
    factors = p.dropout.threshold > 0 ? arena.take<T>(kBlock * kWidth) : nullptr;
    keys = arena.take<T>(kBlock * p.D);
    values = arena.take<T>(kBlock * p.Dv);
    grad_rows = arena.take<T>(kWidth * p.Dv);
    out_row = arena.take<T>(p.Dv);
    unwanted = arena.take<T>(kBlock * p.D);
    for (T** lanes : {&reference, &sum, &low, &high, &largest, &delta}) *lanes = arena.take<T>(kWidth);
    used = arena.take<bool>(kWidth);
  }
};

template <class T, class Score, class Gradient>
class BackwardSpan {
 public:
  BackwardSpan(const AttendBackward& f, const BackwardTask& task, Score& score, Gradient& gradient,
               const BackwardScratch<T>& scratch)
      : f_(f), p_(f.problem), task_(task), score_(score), gradient_(gradient), s_(scratch) {}

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
    KeyRanges<T> ranges(p_, block);
    const T* lse = static_cast<const T*>(f_.log_sum_exp) + (block.b * p_.H + block.h) * p_.Lq + block.i;
    bool changed = false;
    for (int lane = 0; lane < block.count; ++lane) {
      // A row without pairs by mask, or by bias: nothing of it may be used.
      s_.used[lane] = lse[lane] != kMinusInf<T>;
      if (s_.used[lane]) continue;
      changed = changed || ranges.last[lane] > ranges.first[lane];
      ranges.first[lane] = ranges.last[lane] = 0;
    }
    if (changed) ranges.summarise(p_.Lk, block.count);
    const std::int64_t from = ranges.hull_begin > task_.key_begin ? ranges.hull_begin : task_.key_begin;
    const std::int64_t to = ranges.hull_end < task_.key_end ? ranges.hull_end : task_.key_end;
    if (from >= to) return;

    prepare_rows(block, lse);
    const Rows<T> q = rows_of<T>(p_.queries, block.b, block.h, block.i);
    score_.pack_queries(q, block.count, s_.queries);
    gradient_.begin({q, block.count, s_.used, s_.queries, partial});
    for (std::int64_t begin = from / kBlock * kBlock; begin < to; begin += kBlock) {
      key_block(block, ranges, begin, begin + kBlock < p_.Lk ? begin + kBlock : p_.Lk);
    }
    if (f_.grad_queries.data) gradient_.end();
  }

  /// Output gradients in rows and packed; reference = lse, delta = grad_lse - sum_c do_c o_c.
  void prepare_rows(const QueryBlock& block, const T* lse) {
    const Rows<T> grad = rows_of<T>(f_.grad_out, block.b, block.h, block.i);
    const Rows<T> out = rows_of<T>(f_.out, block.b, block.h, block.i);
    const T* grad_lse = static_cast<const T*>(f_.grad_log_sum_exp);
    if (grad_lse) grad_lse += (block.b * p_.H + block.h) * p_.Lq + block.i;
    for (int lane = 0; lane < (block.count + kN - 1) / kN * kN; ++lane) {
      s_.reference[lane] = s_.delta[lane] = 0;
      if (lane >= block.count) continue;
      T* row = s_.grad_rows + lane * p_.Dv;
      if (!s_.used[lane]) {
        std::fill_n(row, p_.Dv, T{0});
        continue;
      }
      copy_row(grad, lane, row);
      const T* o = out.at(lane);
      if (out.column != 1) {
        copy_row(out, lane, s_.out_row);
        o = s_.out_row;
      }
      s_.reference[lane] = lse[lane] * static_cast<T>(1.4426950408889634);
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

  void key_block(const QueryBlock& block, const KeyRanges<T>& ranges, std::int64_t begin, std::int64_t end) {
    const int vectors = (block.count + kN - 1) / kN, keys = static_cast<int>(end - begin);
    T* extra = p_.bias.data ? s_.extra : nullptr;
    if (p_.mask.allowed.data) {
      const Allowed allowed = summarise(p_.mask.allowed, block, begin, end);
      if (allowed == Allowed::kNone) return;
      if (allowed == Allowed::kSome) extra = s_.extra;
    }
    if (extra) fill_extra<T>(p_, block, begin, end, extra);
    relative_ranges(ranges, begin, vectors * kN, s_.low, s_.high);
    const Rows<T> key_rows = rows_of<T>(p_.keys, block.b, task_.hkv, begin);
    const Rows<T> k =
        score_.pack_keys(key_rows, (block.b * p_.Hkv + task_.hkv) * p_.Lk + begin, keys, s_.keys);
    const Rows<T> v = unit_columns(rows_of<T>(p_.values, block.b, task_.hkv, begin), keys, p_.Dv, s_.values);

    const bool masked = weigh_block(ranges, k, extra, begin, keys, vectors);
    if (s_.factors) {
      block_dropout<T>(p_.dropout, {block.b, block.h, block.i, begin}, keys, vectors, s_.factors);
    }
    weight_gradients<T>(
        {v, p_.Dv, s_.grads, s_.delta, s_.weights, s_.scores, s_.factors, keys, vectors, masked});
    if (task_.values) pool_value_gradients(block, begin, keys);
    if (f_.grad_bias.data) add_bias_gradients(block, begin, keys);
    if (p_.softcap > 0) through_softcap(keys);
    const std::int64_t offset = begin - task_.key_begin;
    gradient_.add({s_.scores, keys, vectors, k, key_rows, masked,
                   task_.keys ? static_cast<T*>(task_.keys) + offset * task_.key_stride : s_.unwanted,
                   task_.keys ? task_.key_stride : p_.D, f_.grad_queries.data != nullptr,
                   task_.keys != nullptr});
  }

  /// Normalised weights of the block into s_.weights; whether some pair does not take part.
  bool weigh_block(const KeyRanges<T>& ranges, const Rows<T>& k, const T* extra, std::int64_t begin, int keys,
                   int vectors) {
    TileTask<T> block;
    block.keys = k.data;
    block.key_stride = k.row;
    block.queries = s_.queries;
    block.ahead = {k.data, k.row};
    block.weights = s_.weights;
    block.lanes = {s_.reference, s_.sum};
    block.mask = {s_.low, s_.high, extra, static_cast<T>(p_.softcap * 1.4426950408889634),
                  p_.softcap > 0 ? s_.slope : nullptr};
    block.largest = s_.largest;
    bool masked = extra != nullptr;
    for (int key = 0; key < keys;) {
      const int size = tile_keys<T>(keys - key);
      const ActiveVectors active = active_vectors(ranges, begin + key, begin + key + size);
      masked = masked || !active.whole || active.first > 0 || active.last < vectors;
      clear_inactive(s_.weights + key * kWidth, size, active, vectors);
      if (active.first < active.last) {
        block.plain = !extra && !(p_.softcap > 0);
        block.whole = active.whole && block.plain;
        weigh<T>(score_, tile_at(block, key, active.first * kN), size, active.last - active.first,
                 TileKind::kKnown, 1);
      }
      key += size;
    }
    return masked;
  }

  void through_softcap(int keys) {
    for (std::int64_t n = 0; n < keys * kWidth; n += kN) {
      // Where nothing was weighed the slope is whatever was there.
      const Vec<T> x = load(s_.scores + n);
      store(s_.scores + n, xsimd::select(x == set(T{0}), x, x * load(s_.slope + n)));
    }
  }

  void pool_value_gradients(const QueryBlock& block, std::int64_t begin, int keys) {
    T* out = static_cast<T*>(task_.values) + (begin - task_.key_begin) * task_.value_stride;
    pool<T>(keys, p_.Dv, [&](int first, int) {
      return pool_onto<T>(out + first * task_.value_stride, task_.value_stride, s_.weights + first * kWidth,
                          1, kWidth, {s_.grad_rows, p_.Dv, 1}, block.count);
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
  Score& score_;
  Gradient& gradient_;
  const BackwardScratch<T>& s_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
