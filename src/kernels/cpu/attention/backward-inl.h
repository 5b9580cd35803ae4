// Backward of one chunk of keys against all queries of the heads that read it. Weights are recomputed from the
// log-sum-exp; keys' and values' gradients of the chunk are written in place, queries' as a partial sum of the chunk.
//
//   p = exp(s - lse)   dv_j += p_ij do_i   ds_ij = p_ij (do_i . v_j - delta_i)   dq_i += ds_ij k_j   dk_j += ds_ij q_i
#pragma once

#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/forward-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/score_dot-inl.h"
#include "kernels/cpu/attention/score_gradient-inl.h"

#include <type_traits>

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct BackwardScratch {
  T *queries, *grads, *weights, *scores, *extra, *factors, *slope;
  T *keys, *values, *query_rows, *grad_rows, *packed_grad, *grad_weights, *unwanted;
  T *reference, *sum, *low, *high, *largest, *zeros, *delta;

  BackwardScratch(Arena& arena, const AttendProblem& p) {
    constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
    queries = arena.take<T>(p.D * kWidth);
    grads = arena.take<T>(p.Dv * kWidth);
    for (T** tile : {&weights, &scores, &extra, &factors, &slope}) *tile = arena.take<T>(kBlock * kWidth);
    keys = arena.take<T>(kBlock * p.D);
    values = arena.take<T>(kBlock * p.Dv);
    query_rows = arena.take<T>(kWidth * p.D);
    grad_rows = arena.take<T>(kWidth * p.Dv);
    packed_grad = arena.take<T>(p.D * kWidth);
    grad_weights = arena.take<T>(p.D);
    unwanted = arena.take<T>(kBlock * p.D);
    for (T** lanes : {&reference, &sum, &low, &high, &largest, &zeros, &delta})
      *lanes = arena.take<T>(kWidth);
    for (int lane = 0; lane < kWidth; ++lane) zeros[lane] = reference[lane] = sum[lane] = 0;
    for (std::int64_t d = 0; d < p.D; ++d) grad_weights[d] = 0;
  }
};

template <class T, class Score>
class BackwardChunk {
 public:
  BackwardChunk(const AttendBackward& f, const KeyChunk& chunk, const Score& score, T scale,
                const BackwardScratch<T>& scratch)
      : f_(f), p_(f.problem), chunk_(chunk), score_(score), scale_(scale), s_(scratch) {}

  void run() {
    const std::int64_t group = p_.H / p_.Hkv;
    for (std::int64_t h = chunk_.hkv * group; h < (chunk_.hkv + 1) * group; ++h) {
      for (std::int64_t i = 0; i < p_.Lq; i += kWidth) {
        const std::int64_t left = p_.Lq - i;
        query_block({chunk_.b, h, i, static_cast<int>(left < kWidth ? left : kWidth)},
                    h - chunk_.hkv * group);
      }
    }
    if constexpr (kIsDot) {
      if (!f_.grad_keys.data) return;
      for (std::int64_t j = chunk_.begin; j < chunk_.end; ++j) {
        T* row = row_of<T>(f_.grad_keys, chunk_.b, chunk_.hkv, j);
        for (std::int64_t d = 0; d < p_.D; ++d) row[d] *= static_cast<T>(p_.scale);
      }
    } else {
      for (std::int64_t d = 0; d < p_.D; ++d) chunk_.weights_partial<T>()[d] = s_.grad_weights[d];
    }
  }

 private:
  static constexpr bool kIsDot = std::is_same_v<Score, DotScore<T>>;
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;

  void query_block(const QueryBlock& block, std::int64_t head_in_group) {
    KeyRanges<T> ranges(p_, block);
    const T* lse = static_cast<const T*>(f_.log_sum_exp) + (block.b * p_.H + block.h) * p_.Lq + block.i;
    bool changed = false;
    for (int lane = 0; lane < block.count; ++lane) {
      // A row without pairs by mask, or by bias: nothing of it may be used.
      if (lse[lane] != kMinusInf<T>) continue;
      changed = changed || ranges.last[lane] > ranges.first[lane];
      ranges.first[lane] = ranges.last[lane] = 0;
    }
    if (changed) ranges.summarise(p_.Lk, block.count);
    T* partial = chunk_.queries_partial<T>(head_in_group, p_.Lq, p_.D) + block.i * p_.D;
    if (f_.grad_queries.data) {
      for (std::int64_t n = 0; n < block.count * p_.D; ++n) partial[n] = 0;
    }
    const std::int64_t from = ranges.hull_begin > chunk_.begin ? ranges.hull_begin : chunk_.begin;
    const std::int64_t to = ranges.hull_end < chunk_.end ? ranges.hull_end : chunk_.end;
    if (from >= to) return;

    prepare_rows(block, lse);
    for (std::int64_t begin = from / kBlock * kBlock; begin < to; begin += kBlock) {
      key_block(block, ranges, begin, begin + kBlock < p_.Lk ? begin + kBlock : p_.Lk, partial);
    }
    if constexpr (!kIsDot) {
      for (int lane = 0; f_.grad_queries.data && lane < block.count; ++lane) {
        for (std::int64_t d = 0; d < p_.D; ++d) partial[lane * p_.D + d] = s_.packed_grad[d * kWidth + lane];
      }
    }
  }

  static bool finite(T x) { return x - x == 0; }

  /// Packs queries and output gradients; reference = lse, delta = grad_lse - sum_c do_c o_c.
  void prepare_rows(const QueryBlock& block, const T* lse) {
    const Rows<T> q = rows_of<T>(p_.queries, block.b, block.h, block.i);
    const Rows<T> grad = rows_of<T>(f_.grad_out, block.b, block.h, block.i);
    const Rows<T> out = rows_of<T>(f_.out, block.b, block.h, block.i);
    const T* grad_lse = static_cast<const T*>(f_.grad_log_sum_exp);
    if (grad_lse) grad_lse += (block.b * p_.H + block.h) * p_.Lq + block.i;
    pack<T>(q, block.count, p_.D, scale_, s_.queries);
    pack<T>(grad, block.count, p_.Dv, T{1}, s_.grads);
    for (int lane = 0; lane < kWidth; ++lane) {
      s_.reference[lane] = s_.delta[lane] = 0;
      if (lane >= block.count || lse[lane] == kMinusInf<T>) continue;
      s_.reference[lane] = lse[lane] * static_cast<T>(1.4426950408889634);
      T delta = 0;
      for (std::int64_t c = 0; c < p_.Dv; ++c)
        delta += grad.at(lane)[c * grad.column] * out.at(lane)[c * out.column];
      s_.delta[lane] = (grad_lse ? grad_lse[lane] : T{0}) - delta;
    }
    // Natural rows for the products with scalars. A query that is not finite would turn the 0 of a masked pair into
    // NaN; its own pairs are NaN already.
    for (int lane = 0; lane < block.count; ++lane) {
      const bool used = lse[lane] != kMinusInf<T>;
      bool keep = used;
      for (std::int64_t d = 0; d < p_.D; ++d) keep = keep && finite(q.at(lane)[d * q.column]);
      for (std::int64_t d = 0; d < p_.D; ++d)
        s_.query_rows[lane * p_.D + d] = keep ? q.at(lane)[d * q.column] : T{0};
      for (std::int64_t c = 0; c < p_.Dv; ++c) {
        s_.grad_rows[lane * p_.Dv + c] = used ? grad.at(lane)[c * grad.column] : T{0};
      }
    }
    if constexpr (!kIsDot) {
      for (std::int64_t n = 0; n < p_.D * kWidth; ++n) s_.packed_grad[n] = 0;
    }
  }

  void key_block(const QueryBlock& block, const KeyRanges<T>& ranges, std::int64_t begin, std::int64_t end,
                 T* partial) {
    const int vectors = (block.count + kN - 1) / kN, keys = static_cast<int>(end - begin);
    T* extra = p_.bias.data ? s_.extra : nullptr;
    if (p_.mask.allowed.data) {
      const Allowed allowed = summarise(p_.mask.allowed, block, begin, end);
      if (allowed == Allowed::kNone) return;
      if (allowed == Allowed::kSome) extra = s_.extra;
    }
    if (extra) fill_extra<T>(p_, block, begin, end, extra);
    relative_ranges(ranges, begin, s_.low, s_.high);
    Rows<T> k = unit_columns(rows_of<T>(p_.keys, block.b, chunk_.hkv, begin), keys, p_.D, s_.keys);
    const Rows<T> v = unit_columns(rows_of<T>(p_.values, block.b, chunk_.hkv, begin), keys, p_.Dv, s_.values);

    const bool masked = weigh_block(ranges, k, extra, begin, keys, vectors);
    score_gradients(v, keys, vectors, masked, {block.b, block.h, block.i, begin});
    pool_value_gradients(block, begin, keys);
    if (f_.grad_bias.data) add_bias_gradients(block, begin, keys);
    if (p_.softcap > 0) {
      for (std::int64_t n = 0; n < keys * kWidth; n += kN) {
        // Where nothing was weighed the slope is whatever was there.
        const Vec<T> x = load(s_.scores + n);
        store(s_.scores + n, xsimd::select(x == set(T{0}), x, x * load(s_.slope + n)));
      }
    }
    if constexpr (kIsDot) {
      if (masked) k = finite_keys(k, keys);
      pool_query_gradients(block, k, keys, partial);
      pool_key_gradients(block, begin, keys);
    } else {
      const Rows<T> grad = f_.grad_keys.data ? rows_of<T>(f_.grad_keys, block.b, chunk_.hkv, begin)
                                             : Rows<T>{s_.unwanted, p_.D, 1};
      score_.gradient({s_.scores, keys, vectors, s_.queries, k.data, k.row, s_.packed_grad,
                       const_cast<T*>(grad.data), grad.row, s_.grad_weights});
    }
  }

  /// Normalised weights of the block into s_.weights; whether some pair does not take part.
  bool weigh_block(const KeyRanges<T>& ranges, const Rows<T>& k, const T* extra, std::int64_t begin, int keys,
                   int vectors) {
    TileTask<T> block;
    block.keys = k.data;
    block.key_stride = k.row;
    block.queries = s_.queries;
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
        block.whole = active.whole && !extra && !(p_.softcap > 0);
        weigh<T>(score_, tile_at(block, key, active.first * kN), size, active.last - active.first,
                 TileKind::kKnown, 1);
      }
      key += size;
    }
    return masked;
  }

  template <int kKeys, int kVecs>
  __attribute__((noinline)) void score_gradient_tile(const Rows<T>& v, int key, bool dropped) const {
    Vec<T> x[kKeys][kVecs];
    HEED_UNROLL
    for (int n = 0; n < kVecs; ++n) {
      HEED_UNROLL
      for (int r = 0; r < kKeys; ++r) x[r][n] = reload((dropped ? s_.zeros : s_.delta) + n * kN);
    }
    DotScore<T>{p_.Dv}.template tile<kKeys, kVecs>(v.at(key), v.row, s_.grads, x);
    HEED_UNROLL
    for (int n = 0; n < kVecs; ++n) {
      HEED_UNROLL
      for (int r = 0; r < kKeys; ++r) {
        const std::int64_t at = (key + r) * kWidth + n * kN;
        store(s_.scores + at, dropped ? x[r][n] : x[r][n] * load(s_.weights + at));
      }
    }
  }

  template <int kKeys>
  void score_gradient_vectors(const Rows<T>& v, int key, int vectors, bool dropped) const {
    if (vectors == 1) score_gradient_tile<kKeys, 1>(v, key, dropped);
    if (vectors == 2) score_gradient_tile<kKeys, 2>(v, key, dropped);
    if constexpr (Layout<T>::kVectors >= 3) {
      if (vectors == 3) score_gradient_tile<kKeys, 3>(v, key, dropped);
    }
  }

  /// s_.scores = p (dp - delta); s_.weights become the dropped weights, which is what the values' gradient needs.
  void score_gradients(const Rows<T>& v, int keys, int vectors, bool masked, const BlockPlace& place) {
    constexpr int kTile = Layout<T>::kKeys;
    const bool dropped = p_.dropout.threshold > 0;
    for (int key = 0; key < keys;) {
      const int size = tile_keys<T>(keys - key);
      if (size == kTile) score_gradient_vectors<kTile>(v, key, vectors, dropped);
      if (size == 4) score_gradient_vectors<4>(v, key, vectors, dropped);
      if (size == 2) score_gradient_vectors<2>(v, key, vectors, dropped);
      if (size == 1) score_gradient_vectors<1>(v, key, vectors, dropped);
      key += size;
    }
    if (!dropped && !masked) return;
    if (dropped) block_dropout<T>(p_.dropout, place, keys, vectors, s_.factors);
    for (int key = 0; key < keys; ++key) {
      for (int n = 0; n < vectors; ++n) {
        const std::int64_t at = key * kWidth + n * kN;
        const Vec<T> p = load(s_.weights + at);
        Vec<T> x = load(s_.scores + at);
        if (dropped) {
          const Vec<T> factor = load(s_.factors + at);
          x = xsimd::fma(x, factor, load(s_.delta + n * kN)) * p;
          store(s_.weights + at, p * factor);
        }
        store(s_.scores + at, xsimd::select(p == set(T{0}), set(T{0}), x));
      }
    }
  }

  /// out rows = keys, summed over the block's queries.
  PoolTask<T> over_queries(const T* weights, const T* rows, std::int64_t width, T* out, std::int64_t stride,
                           int first, int count) const {
    return {weights + first * kWidth, 1, kWidth, rows, width, out + first * stride, stride, count};
  }

  void pool_value_gradients(const QueryBlock& block, std::int64_t begin, int keys) {
    if (!f_.grad_values.data) return;
    T* out = row_of<T>(f_.grad_values, block.b, chunk_.hkv, begin);
    pool<T>(keys, p_.Dv, [&](int first, int) {
      return over_queries(s_.weights, s_.grad_rows, p_.Dv, out, f_.grad_values.row, first, block.count);
    });
  }

  void pool_key_gradients(const QueryBlock& block, std::int64_t begin, int keys) {
    if (!f_.grad_keys.data) return;
    T* out = row_of<T>(f_.grad_keys, block.b, chunk_.hkv, begin);
    pool<T>(keys, p_.D, [&](int first, int) {
      return over_queries(s_.scores, s_.query_rows, p_.D, out, f_.grad_keys.row, first, block.count);
    });
  }

  void pool_query_gradients(const QueryBlock& block, const Rows<T>& k, int keys, T* partial) {
    if (!f_.grad_queries.data) return;
    pool<T>(block.count, p_.D, [&](int first, int) {
      return PoolTask<T>{s_.scores + first, kWidth, 1, k.data, k.row, partial + first * p_.D, p_.D, keys};
    });
  }

  Rows<T> finite_keys(const Rows<T>& k, int keys) {
    bool all = true;
    for (int j = 0; j < keys; ++j) {
      for (std::int64_t d = 0; d < p_.D; ++d) all = all && finite(k.at(j)[d]);
    }
    if (all) return k;
    for (int j = 0; j < keys; ++j) {
      bool keep = true;
      for (std::int64_t d = 0; d < p_.D; ++d) keep = keep && finite(k.at(j)[d]);
      for (std::int64_t d = 0; d < p_.D; ++d) s_.keys[j * p_.D + d] = keep ? k.at(j)[d] : T{0};
    }
    return {s_.keys, p_.D, 1};
  }

  void add_bias_gradients(const QueryBlock& block, std::int64_t begin, int keys) {
    for (int lane = 0; lane < block.count; ++lane) {
      T* row = row_of<T>(f_.grad_bias, block.b, block.h, block.i + lane) + begin * f_.grad_bias.column;
      for (int j = 0; j < keys; ++j) row[j * f_.grad_bias.column] += s_.scores[j * kWidth + lane];
    }
  }

  const AttendBackward& f_;
  const AttendProblem& p_;
  const KeyChunk& chunk_;
  const Score& score_;
  T scale_;
  const BackwardScratch<T>& s_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
