// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Weights of a query block, recomputed key block by key block: p = exp(s - lse).
//
// A log-sum-exp in the thousands has lost the digits that matter here. Rows with one go over their keys twice more
// beforehand and have p = exp(s - largest) / sum.
#pragma once

#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/extra-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct RecomputeScratch {
  T *queries, *weights, *extra, *slope, *keys;
  T *reference, *sum, *low, *high, *largest, *scale;
  bool* used;

  RecomputeScratch(const AttendProblem& p, std::int64_t features, Arena& arena) {
    constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
    queries = arena.take<T>(features * kWidth);
    for (T** tile : {&weights, &extra, &slope}) *tile = arena.take<T>(kBlock * kWidth);
    keys = arena.take<T>(kBlock * p.D);
    for (T** lanes : {&reference, &sum, &low, &high, &largest, &scale}) *lanes = arena.take<T>(kWidth);
    used = arena.take<bool>(kWidth);
  }
};

/// What is known of a key block once its weights are.
template <class T>
struct WeighedBlock {
  bool none;       ///< no pair takes part; nothing below is set
  bool masked;     ///< some pair does not take part
  T* weights;      ///< (keys, kQueries)
  const T* slope;  ///< (keys, kQueries): softcap's derivative where a pair takes part; none: no softcap
  Rows<T> packed_keys, key_rows;
};

template <class T, class Score>
class Recompute {
 public:
  Recompute(const AttendProblem& p, const void* log_sum_exp, Score& score, const RecomputeScratch<T>& scratch)
      : p_(p), lse_(static_cast<const T*>(log_sum_exp)), score_(score), s_(scratch) {}

  /// The queries are not looked at yet: the block may meet no key.
  void begin(const QueryBlock& block) {
    block_ = block;
    vectors_ = (block.count + kN - 1) / kN;
    hkv_ = block.h / (p_.H / p_.Hkv);
    ranges_.set(p_, block);
    const T* lse = lse_ + (block.b * p_.H + block.h) * p_.Lq + block.i;
    bool changed = false;
    far_ = false;
    for (int lane = 0; lane < vectors_ * kN; ++lane) {
      // Lanes beyond the rows weigh nothing. Their gradients are 0, and beside an infinite weight would be NaN.
      s_.reference[lane] = lane < block.count ? T{0} : std::numeric_limits<T>::max();
      if (lane >= block.count) continue;
      // A row without pairs by mask, or by bias: nothing of it may be used.
      s_.used[lane] = lse[lane] != kMinusInf<T>;
      if (s_.used[lane]) {
        s_.reference[lane] = lse[lane] * static_cast<T>(1.4426950408889634);
        far_ = far_ || is_far(lane);
        continue;
      }
      changed = changed || ranges_.last[lane] > ranges_.first[lane];
      ranges_.first[lane] = ranges_.last[lane] = 0;
    }
    if (changed) ranges_.summarise(p_.Lk, block.count);
  }

  /// For weights that are divided by their sum anyway: their bits then do not depend on the last ones of the log-sum-exp,
  /// which differ from kernel to kernel.
  void round_references() {
    for (int lane = 0; lane < block_.count; ++lane)
      s_.reference[lane] = static_cast<T>(__builtin_rint(s_.reference[lane]));
  }

  /// Those of keys [first, last) that some row may attend to.
  KeyRange keys(std::int64_t first, std::int64_t last) const {
    return {ranges_.hull_begin > first ? ranges_.hull_begin : first,
            ranges_.hull_end < last ? ranges_.hull_end : last};
  }

  /// Before the block is weighed.
  void prepare() {
    score_.pack_queries(rows_of<T>(p_.queries, block_.b, block_.h, block_.i), block_.count, s_.queries);
    if (far_) find_references();
  }

  const bool* used() const { return s_.used; }  ///< (count): false for rows without pairs
  const T* queries() const { return s_.queries; }

  /// Keys [begin, end) of a key block that some row may attend to.
  WeighedBlock<T> weigh(std::int64_t begin, std::int64_t end) {
    const WeighedBlock<T> w = weigh_block(begin, end, TileKind::kKnown);
    if (!far_ || w.none) return w;
    for (std::int64_t j = 0; j < end - begin; ++j) {
      for (int v = 0; v < vectors_; ++v) {
        T* at = s_.weights + j * kWidth + v * kN;
        // A masked pair's weight is 0, whatever its row's sum.
        const Vec<T> weight = load(at);
        store(at, xsimd::select(weight == set(T{0}), weight, weight * load(s_.scale + v * kN)));
      }
    }
    return w;
  }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;

  bool is_far(int lane) const { return too_far_for_weights(s_.reference[lane]); }

  /// Row by row, so that none depends on its neighbours.
  void find_references() {
    for (int lane = 0; lane < vectors_ * kN; ++lane) {
      s_.largest[lane] = kMinusInf<T>;
      s_.sum[lane] = 0;
      s_.scale[lane] = lane < block_.count && s_.used[lane] && is_far(lane) ? T{0} : T{1};
    }
    each_block(TileKind::kLargest);
    for (int lane = 0; lane < block_.count; ++lane) {
      if (s_.scale[lane] == 0) s_.reference[lane] = s_.largest[lane];
    }
    each_block(TileKind::kKnown);
    for (int lane = 0; lane < block_.count; ++lane) {
      if (s_.scale[lane] != 0) continue;
      const T sum = s_.sum[lane];
      const bool number = sum == sum;
      s_.scale[lane] = number ? 1 / sum : T{1};
      // A reference that is NaN makes NaN of every pair that takes part, and of no other.
      if (!number) s_.reference[lane] = sum;
    }
  }

  void each_block(TileKind kind) {
    for (std::int64_t begin = ranges_.hull_begin / kBlock * kBlock; begin < ranges_.hull_end;
         begin += kBlock) {
      weigh_block(begin, begin + kBlock < p_.Lk ? begin + kBlock : p_.Lk, kind);
    }
  }

  WeighedBlock<T> weigh_block(std::int64_t begin, std::int64_t end, TileKind kind) {
    const NoDenormals mode;
    WeighedBlock<T> w{};
    const int keys = static_cast<int>(end - begin);
    const Extra<T> extra = extra_of<T>(p_, block_, begin, end, s_.extra);
    w.none = extra.none;
    if (w.none) return w;
    bool relative = false;  // are ranges relative to the key block known
    w.weights = s_.weights;
    w.slope = p_.softcap > 0 ? s_.slope : nullptr;
    w.key_rows = rows_of<T>(p_.keys, block_.b, hkv_, begin);
    w.packed_keys = score_.pack_keys(w.key_rows, (block_.b * p_.Hkv + hkv_) * p_.Lk + begin, keys, s_.keys);

    TileTask<T> tile;
    tile.keys = w.packed_keys.data;
    tile.key_stride = w.packed_keys.row;
    tile.queries = s_.queries;
    tile.ahead = {w.packed_keys.data, w.packed_keys.row};
    tile.weights = s_.weights;
    tile.lanes = {s_.reference, s_.sum};
    tile.mask = {s_.low, s_.high, extra.data, static_cast<T>(p_.softcap * 1.4426950408889634),
                 p_.softcap > 0 ? s_.slope : nullptr};
    tile.largest = s_.largest;
    tile.plain = kind == TileKind::kKnown;
    tile.first = tile.near = tile.far = false;
    w.masked = extra.data != nullptr;
    for (int key = 0; key < keys;) {
      const auto [size, count] = next_tiles<T>(keys - key);
      const ActiveVectors active = active_vectors(ranges_, begin + key, begin + key + size);
      const std::int64_t stop = begin + key + size * count;
      const int tiles = size < Layout<T>::kKeys ? 1
                        : active.whole          ? whole_tiles(ranges_, active, begin + key, stop)
                                                : alike_tiles(ranges_, active, begin + key, stop);
      w.masked = w.masked || !active.whole || active.first > 0 || active.last < vectors_;
      clear_inactive(s_.weights + key * kWidth, size * tiles, active, vectors_);
      if (active.first < active.last) {
        tile.inside = active.whole;
        if (!active.whole && !relative) {
          relative_ranges(ranges_, begin, vectors_ * kN, s_.low, s_.high);
          relative = true;
        }
        cpu::HEED_TIER::weigh<T>(score_, tile, key, size, tiles, active, kind);
      }
      key += size * tiles;
    }
    return w;
  }

  const AttendProblem& p_;
  const T* lse_;
  Score& score_;
  const RecomputeScratch<T>& s_;
  KeyRanges<T> ranges_;
  QueryBlock block_{};
  int vectors_ = 0;
  std::int64_t hkv_ = 0;
  bool far_ = false;  ///< some row's reference is not its log-sum-exp
};

}  // namespace heed::kernels::cpu::HEED_TIER
