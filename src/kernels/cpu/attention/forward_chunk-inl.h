// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A query block against one chunk of keys: key blocks in order, weighed tile by tile and then pooled.
#pragma once

#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/extra-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/pooled_rows-inl.h"
#include "kernels/cpu/attention/running_rows-inl.h"
#include "kernels/cpu/attention/weigh_and_pool-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T, class Score>
class ForwardChunk {
 public:
  ForwardChunk(const AttendForward& f, Score& score, const QueryBlock& block,
               const RowsInHand<T>& rows_in_hand, const ForwardScratch<T>& scratch)
      : p_(f.problem),
        score_(score),
        block_(block),
        next_(block_after<T>(f.problem, block)),
        s_(scratch),
        pooled_(f, block, next_, ranges_, rows_in_hand, scratch) {
    ranges_.set(p_, block);
    vectors_ = (block.count + kN - 1) / kN;
    hkv_ = block.h / (p_.H / p_.Hkv);
    block_task_.queries = s_.queries;
    block_task_.weights = s_.weights;
    block_task_.mask = {s_.low, s_.high, nullptr, static_cast<T>(p_.softcap * 1.4426950408889634), nullptr};
    block_task_.largest = s_.largest;
  }

  /// Before the first chunk.
  void pack_queries() {
    score_.pack_queries(rows_of<T>(p_.queries, block_.b, block_.h, block_.i), block_.count, s_.queries);
  }

  /// Keys that some row may attend to.
  KeyRange keys() const { return {ranges_.hull_begin, ranges_.hull_end}; }

  /// Adds the n-th chunk to rows that have been started. `all`: there is no other, and rows may be written to the output.
  void run(std::int64_t n, const RunningRows<T>& rows, bool all) {
    rows_ = rows;
    pooled_.start(rows, all);
    for (bool& met : met_) met = false;
    const std::int64_t begin =
        ranges_.hull_begin > n * kChunk ? ranges_.hull_begin / kBlock * kBlock : n * kChunk;
    const std::int64_t end = ranges_.hull_end < (n + 1) * kChunk ? ranges_.hull_end : (n + 1) * kChunk;
    for (std::int64_t key = begin; key < end; key += kBlock) {
      key_block(key, key + kBlock < p_.Lk ? key + kBlock : p_.Lk);
    }
    pooled_.finish();
  }

  bool written() const { return pooled_.written(); }  ///< to the output, divided

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
  static constexpr std::int64_t kChunk = Layout<T>::kChunk;
  static constexpr T kTooLarge = static_cast<T>(1e12);

  void key_block(std::int64_t begin, std::int64_t end) {
    const Extra<T> extra = extra_of<T>(p_, block_, begin, end, s_.extra);
    if (extra.none) return;
    extra_ = extra.data;
    relative_ = false;
    // Values are fetched while their keys are weighed: pooling takes them faster than they come from far away. The last
    // block of a head has them near, and fetches keys of the next head instead.
    block_task_.ahead =
        block_.i > 0 || next_.count == 0
            ? FetchedRows<T>{row_of<T>(p_.values, block_.b, hkv_, begin), p_.values.row}
            : FetchedRows<T>{row_of<T>(p_.keys, next_.b, next_.h / (p_.H / p_.Hkv), begin), p_.keys.row};
    const Rows<T> keys =
        score_.pack_keys(rows_of<T>(p_.keys, block_.b, hkv_, begin),
                         (block_.b * p_.Hkv + hkv_) * p_.Lk + begin, static_cast<int>(end - begin), s_.keys);

    copy_lanes(s_.saved_reference, rows_.reference);
    masked_ = extra_ != nullptr;
    if constexpr (Score::kFromReference) {
      if (one_go(begin, end)) {
        weigh_and_pool(keys, begin, end);
        if (too_large()) {
          new_references(keys, begin, end);
          weigh_and_pool(keys, begin, end);
        }
        if (!pooled_.lane_sums_small()) {
          add_block_sums();
          pooled_.add_lane_sums();
          return;
        }
      }
    }
    weigh_block(keys, begin, end, TileKind::kOnline);
    if (too_large()) {
      new_references(keys, begin, end);
      weigh_block(keys, begin, end, TileKind::kOnline);
    }
    add_block_sums();
    if (s_.factors) drop(begin);
    pooled_.add({begin, tile_begin_, tile_end_, masked_, extra_, end >= ranges_.hull_end});
  }

  /// Whether a block can be weighed and pooled in one go: one value feature, and every row attends to all keys and has a
  /// reference that scores can be computed from.
  bool one_go(std::int64_t begin, std::int64_t end) {
    const KeyRange shared = shared_keys(ranges_, vectors_);
    return p_.Dv == 1 && !extra_ && !(p_.softcap > 0) && !s_.factors && shared.first <= begin &&
           shared.last >= end && (end - begin) % kPoolSums<1> == 0 && all_met({0, vectors_, true}) &&
           !any_far({0, vectors_, true});
  }

  void weigh_and_pool(const Rows<T>& keys, std::int64_t begin, std::int64_t end) {
    start_tiles(keys);
    const NoDenormals mode;
    by_tile_width<T>(vectors_, [&]<int kVecs>(int first) {
      weigh_and_pool_lanes<T, Score, kVecs>(score_, tile_at(block_task_, 0, first * kN), end - begin,
                                            row_of<T>(p_.values, block_.b, hkv_, begin), p_.values.row,
                                            s_.lane_sums + first * kN);
    });
  }

  void start_tiles(const Rows<T>& keys) {
    block_task_.keys = keys.data;
    block_task_.key_stride = keys.row;
    std::fill_n(s_.block_sum, vectors_ * kN, T{0});
    block_task_.lanes = {rows_.reference, s_.block_sum};
    block_task_.mask.extra = extra_;
    block_task_.first = block_task_.far = false;
  }

  /// Tiles of the block in order; sets tile_begin_, tile_end_ to the keys whose weights were written.
  void weigh_block(const Rows<T>& keys, std::int64_t begin, std::int64_t end, TileKind kind) {
    const NoDenormals mode;
    constexpr int kTile = Layout<T>::kKeys;
    // Smaller tiles begin where they always do, or a row's first one would depend on its neighbours.
    const std::int64_t large = keys_of_large_tiles<T>(end - begin), first = ranges_.hull_begin - begin;
    const std::int64_t from = first > 0 ? std::min(first / kTile * kTile, large) : 0;
    const std::int64_t to = ranges_.hull_end < end ? ranges_.hull_end - begin : end - begin;
    tile_begin_ = static_cast<int>(from);
    start_tiles(keys);
    const bool simple = kind == TileKind::kOnline;
    std::int64_t key = from;
    while (key < to) {
      const auto [size, count] = next_tiles<T>(end - begin - key);
      const ActiveVectors active = active_vectors(ranges_, begin + key, begin + key + size);
      int tiles = 1;
      const bool met = all_met(active);
      block_task_.plain = simple && met;
      block_task_.first = simple && !met;
      block_task_.near = block_task_.plain && all_near(active);
      if constexpr (Score::kFromReference) block_task_.far = simple && any_far(active);
      if (size == kTile && met) {
        const std::int64_t stop = begin + std::min(key + size * count, to);
        tiles = active.whole ? whole_tiles(ranges_, active, begin + key, stop)
                             : alike_tiles(ranges_, active, begin + key, stop);
      }
      tile(active, begin, static_cast<int>(key), size, kind, tiles);
      key += size * tiles;
    }
    tile_end_ = static_cast<int>(key);
  }

  void tile(const ActiveVectors& active, std::int64_t begin, int key, int size, TileKind kind, int tiles) {
    masked_ = masked_ || !active.whole || active.first > 0 || active.last < vectors_;
    clear_inactive(s_.weights + key * kWidth, size * tiles, active, vectors_);
    if (active.first >= active.last) return;
    block_task_.inside = active.whole;
    if (!active.whole && !relative_) {
      relative_ranges(ranges_, begin, vectors_ * kN, s_.low, s_.high);
      relative_ = true;
    }
    weigh<T>(score_, block_task_, key, size, tiles, active, kind);
  }

  /// Whether every row of these vectors has a reference.
  bool all_met(const ActiveVectors& active) {
    for (int v = active.first; v < active.last; ++v) {
      met_[v] = met_[v] || !xsimd::any(load(rows_.reference + v * kN) == set(kMinusInf<T>));
      if (!met_[v]) return false;
    }
    return true;
  }

  /// Whether every row of these vectors, which all have a reference, has 0.
  bool all_near(const ActiveVectors& active) const {
    auto near = Mask<T>(true);
    for (int v = active.first; v < active.last; ++v)
      near = near & (load(rows_.reference + v * kN) == set(T{0}));
    return xsimd::all(near);
  }

  /// Whether some row of these vectors has a reference that no score is computed from.
  bool any_far(const ActiveVectors& active) const {
    auto far = Mask<T>(false);
    for (int v = active.first; v < active.last; ++v) far = far | is_far<T>(load(rows_.reference + v * kN));
    return xsimd::any(far);
  }

  /// A row's sum with that of the block under way.
  Vec<T> sums(int v) const { return load(rows_.sum + v * kN) + load(s_.block_sum + v * kN); }

  bool too_large() const {
    for (int v = 0; v < vectors_; ++v) {
      if (xsimd::any(sums(v) >= set(kTooLarge))) return true;
    }
    return false;
  }

  void add_block_sums() {
    for (int v = 0; v < vectors_; ++v) store(rows_.sum + v * kN, sums(v));
  }

  /// Lanes that grew too large will start the block anew from its largest score; the others exactly as they did.
  void new_references(const Rows<T>& keys, std::int64_t begin, std::int64_t end) {
    for (int lane = 0; lane < vectors_ * kN; ++lane) {
      s_.correction[lane] = rows_.sum[lane] + s_.block_sum[lane] >= kTooLarge ? T{0} : T{1};
      s_.largest[lane] = kMinusInf<T>;
    }
    weigh_block(keys, begin, end, TileKind::kLargest);
    for (int lane = 0; lane < vectors_ * kN; ++lane) {
      const bool grew = s_.correction[lane] == 0;
      const T reference = s_.largest[lane], before = s_.saved_reference[lane];
      rows_.reference[lane] = before;
      if (!grew) continue;
      const T correction = before == kMinusInf<T> ? T{0} : scalar_exp2(before - reference);
      rows_.reference[lane] = reference;
      rows_.sum[lane] *= correction;
      pooled_.multiply(lane, correction);
    }
    for (bool& met : met_) met = false;
  }

  static T scalar_exp2(T x) {
    T lanes[kN];
    store(lanes, exp2(set(x)));
    return lanes[0];
  }

  void copy_lanes(T* to, const T* from) const {
    for (int v = 0; v < vectors_; ++v) store(to + v * kN, load(from + v * kN));
  }

  void drop(std::int64_t begin) {
    block_dropout<T>(p_.dropout, {block_.b, block_.h, block_.i, begin}, tile_end_, vectors_, s_.factors);
    for (std::int64_t n = tile_begin_ * kWidth; n < tile_end_ * kWidth; n += kN) {
      store(s_.weights + n, load(s_.weights + n) * load(s_.factors + n));
    }
  }

  const AttendProblem& p_;
  Score& score_;
  QueryBlock block_, next_;
  const ForwardScratch<T>& s_;
  KeyRanges<T> ranges_;
  PooledRows<T> pooled_;
  RunningRows<T> rows_{};
  int vectors_ = 0;
  std::int64_t hkv_ = 0;
  const T* extra_ = nullptr;
  bool met_[Layout<T>::kVectors] = {};
  TileTask<T> block_task_{};  ///< of a tile at the key block's first key and lane
  bool relative_ = false;     ///< ranges relative to the key block are known
  bool masked_ = false;       ///< some pair of the key block does not take part
  int tile_begin_ = 0, tile_end_ = 0;
};

}  // namespace heed::kernels::cpu::HEED_TIER
