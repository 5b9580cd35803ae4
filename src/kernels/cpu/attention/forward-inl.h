// Forward of one query block: chunks of keys, each of them key blocks in order, weighed tile by tile and then pooled.
//
// Every chunk starts from nothing and the chunks are merged in order, so that it does not matter who computed them.
#pragma once

#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/running_rows-inl.h"
#include "kernels/cpu/attention/weigh_and_pool-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct ForwardScratch {
  T *queries, *weights, *extra, *factors, *keys, *values, *lane_out, *lane_sums, *total_out, *chunk_out;
  T *reference, *sum, *low, *high, *largest, *saved_reference, *saved_sum, *correction, *total_reference,
      *total_sum;

  ForwardScratch(const AttendProblem& p, std::int64_t features, Arena& arena) {
    constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
    queries = arena.take<T>(features * kWidth);
    weights = arena.take<T>(kBlock * kWidth);
    extra = p.bias.data || p.mask.allowed.data ? arena.take<T>(kBlock * kWidth) : nullptr;
    factors = p.dropout.threshold > 0 ? arena.take<T>(kBlock * kWidth) : nullptr;
    keys = p.keys.column == 1 ? nullptr : arena.take<T>(kBlock * p.D);
    values = arena.take<T>(kBlock * p.Dv);
    lane_out = arena.take<T>(kFewColumns * kWidth);
    lane_sums = arena.take<T>(kWidth);
    total_out = arena.take<T>(kWidth * p.Dv);
    chunk_out = arena.take<T>(kWidth * p.Dv);
    for (T** lanes : {&reference, &sum, &low, &high, &largest, &saved_reference, &saved_sum, &correction,
                      &total_reference, &total_sum}) {
      *lanes = arena.take<T>(kWidth);
    }
  }
};

template <class T, class Score>
class ForwardBlock {
 public:
  ForwardBlock(const AttendForward& f, Score& score, const QueryBlock& block,
               const ForwardScratch<T>& scratch)
      : f_(f),
        p_(f.problem),
        score_(score),
        block_(block),
        next_(block_after(f.problem, block)),
        s_(scratch),
        rows_in_hand_(f, block, scratch.correction, scratch.largest) {
    ranges_.set(p_, block);
    vectors_ = (block.count + kN - 1) / kN;
    hkv_ = block.h / (p_.H / p_.Hkv);
    block_task_.queries = s_.queries;
    block_task_.weights = s_.weights;
    block_task_.mask = {s_.low, s_.high, nullptr, static_cast<T>(p_.softcap * 1.4426950408889634), nullptr};
    block_task_.largest = s_.largest;
  }

  void run() {
    const RunningRows<T> total{s_.total_out, s_.total_reference, s_.total_sum};
    rows_in_hand_.start(total);
    if (ranges_.hull_begin < ranges_.hull_end) {
      score_.pack_queries(rows_of<T>(p_.queries, block_.b, block_.h, block_.i), block_.count, s_.queries);
      const std::int64_t first = ranges_.hull_begin / kChunk, last = (ranges_.hull_end - 1) / kChunk;
      one_chunk_ = first == last;
      chunk(first, total);
      for (std::int64_t n = first + 1; n <= last; ++n) {
        const RunningRows<T> part{s_.chunk_out, s_.reference, s_.sum};
        rows_in_hand_.start(part);
        chunk(n, part);
        rows_in_hand_.merge(total, part);
      }
    } else {
      std::fill_n(total.out, block_.count * p_.Dv, T{0});
    }
    rows_in_hand_.write_log_sum_exp(total);
    if (!written_) rows_in_hand_.write_rows(total);
  }

  void run_chunk(std::int64_t n, const RunningRows<T>& part) {
    rows_in_hand_.start(part);
    if (ranges_.hull_begin >= (n + 1) * kChunk || ranges_.hull_end <= n * kChunk) {
      std::fill_n(part.out, block_.count * p_.Dv, T{0});
      return;
    }
    score_.pack_queries(rows_of<T>(p_.queries, block_.b, block_.h, block_.i), block_.count, s_.queries);
    chunk(n, part);
  }

  /// part(n): the n-th chunk's rows, n < count.
  template <class Part>
  void run_merge(std::int64_t count, const Part& part) {
    const RunningRows<T> total = part(0);
    for (std::int64_t n = 1; n < count; ++n) rows_in_hand_.merge(total, part(n));
    rows_in_hand_.write_log_sum_exp(total);
    rows_in_hand_.write_rows(total);
  }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
  static constexpr std::int64_t kChunk = Layout<T>::kChunk;
  static constexpr T kTooLarge = static_cast<T>(1e12);

  static QueryBlock block_after(const AttendProblem& p, const QueryBlock& block) {
    if (block.i > 0) return {block.b, block.h, block.i - kWidth, kWidth};
    const bool last_head = block.h + 1 == p.H;
    const std::int64_t b = last_head ? block.b + 1 : block.b, i = (p.Lq - 1) / kWidth * kWidth;
    return {b, last_head ? 0 : block.h + 1, i, b < p.B ? static_cast<int>(p.Lq - i) : 0};
  }

  /// A worker goes up the query blocks of a head, then to the next head. While it pools the last keys of a block, the
  /// queries of the next come, and the lines of the output that are about to be written.
  void fetch_next() {
    coming_.clear();
    coming_.add(row_of<T>(p_.queries, next_.b, next_.h, next_.i), p_.queries.row, next_.count, p_.D);
    coming_.add(row_of<T>(f_.out, block_.b, block_.h, block_.i), f_.out.row, block_.count, p_.Dv);
  }

  void chunk(std::int64_t n, const RunningRows<T>& rows) {
    rows_ = rows;
    fresh_ = true;
    for (bool& met : met_) met = false;
    const std::int64_t begin =
        ranges_.hull_begin > n * kChunk ? ranges_.hull_begin / kBlock * kBlock : n * kChunk;
    const std::int64_t end = ranges_.hull_end < (n + 1) * kChunk ? ranges_.hull_end : (n + 1) * kChunk;
    if (few_columns()) std::fill_n(s_.lane_out, p_.Dv * kWidth, T{0});
    for (std::int64_t key = begin; key < end; key += kBlock) {
      key_block(key, key + kBlock < p_.Lk ? key + kBlock : p_.Lk);
    }
    if (few_columns()) {
      for (int i = 0; i < block_.count; ++i) {
        for (std::int64_t c = 0; c < p_.Dv; ++c) rows.out[i * p_.Dv + c] = s_.lane_out[c * kWidth + i];
      }
    } else if (fresh_) {
      std::fill_n(rows.out, block_.count * p_.Dv, T{0});
    }
  }

  /// So few value features that pooling goes with queries along the lanes.
  bool few_columns() const { return p_.Dv <= kFewColumns; }

  void key_block(std::int64_t begin, std::int64_t end) {
    const bool has_bias = p_.bias.data != nullptr;
    extra_ = has_bias ? s_.extra : nullptr;
    if (p_.mask.allowed.data) {
      const Allowed allowed = summarise(p_.mask.allowed, block_, begin, end);
      if (allowed == Allowed::kNone) return;
      if (allowed == Allowed::kSome) extra_ = s_.extra;
    }
    if (extra_) fill_extra<T>(p_, block_, begin, end, extra_);
    relative_ = false;
    // Values are fetched while their keys are weighed: pooling takes them faster than they come from far away. The last
    // block of a head has them near, and fetches keys of the next head instead.
    ahead_ = block_.i > 0 || next_.count == 0
                 ? FetchedRows<T>{row_of<T>(p_.values, block_.b, hkv_, begin), p_.values.row}
                 : FetchedRows<T>{row_of<T>(p_.keys, next_.b, next_.h / (p_.H / p_.Hkv), begin), p_.keys.row};
    last_ = end >= ranges_.hull_end;
    if (last_) fetch_next();
    const Rows<T> keys =
        score_.pack_keys(rows_of<T>(p_.keys, block_.b, hkv_, begin),
                         (block_.b * p_.Hkv + hkv_) * p_.Lk + begin, static_cast<int>(end - begin), s_.keys);

    copy_lanes(s_.saved_reference, rows_.reference);
    copy_lanes(s_.saved_sum, rows_.sum);
    masked_ = extra_ != nullptr;
    may_flush_ = Score::kFromReference && p_.Dv == 1 &&
                 may_flush(row_of<T>(p_.values, block_.b, hkv_, begin), p_.values.row, end - begin);
    if constexpr (Score::kFromReference) {
      if (may_flush_ && weighed_and_pooled(keys, begin, end)) return;
    }
    weigh_block(keys, begin, end, TileKind::kOnline);
    if (too_large()) {
      new_references(keys, begin, end);
      weigh_block(keys, begin, end, TileKind::kOnline);
    }
    if (s_.factors) drop(begin);
    pool_values(begin);
  }

  /// The whole block in one go, if every row attends to all of it and has a reference that will do.
  bool weighed_and_pooled(const Rows<T>& keys, std::int64_t begin, std::int64_t end) {
    const KeyRange shared = shared_keys(ranges_, vectors_);
    if (extra_ || p_.softcap > 0 || s_.factors || shared.first > begin || shared.last < end ||
        (end - begin) % kPoolSums<1> != 0 || !all_met({0, vectors_, true})) {
      return false;
    }
    start_tiles(keys);
    by_tile_width<T>(vectors_, [&]<int kVecs>(int first) {
      const NoDenormals mode;
      weigh_and_pool_lanes<T, Score, kVecs>(score_, from_lane(block_task_, first * kN), end - begin,
                                            row_of<T>(p_.values, block_.b, hkv_, begin), p_.values.row,
                                            s_.lane_sums + first * kN);
    });
    if (too_large()) {
      copy_lanes(rows_.sum, s_.saved_sum);
      return false;
    }
    add_lane_sums();
    return true;
  }

  /// Not while denormal numbers are flushed: what was added before may be denormal.
  void add_lane_sums() {
    for (int v = 0; v < vectors_; ++v) {
      store(s_.lane_out + v * kN, load(s_.lane_out + v * kN) + load(s_.lane_sums + v * kN));
    }
  }

  void start_tiles(const Rows<T>& keys) {
    block_task_.keys = keys.data;
    block_task_.key_stride = keys.row;
    block_task_.ahead = ahead_;
    block_task_.lanes = {rows_.reference, rows_.sum};
    block_task_.mask.extra = extra_;
    block_task_.first = false;
  }

  /// Tiles of the block in order; sets tile_begin_, tile_end_ to the keys whose weights were written.
  void weigh_block(const Rows<T>& keys, std::int64_t begin, std::int64_t end, TileKind kind) {
    const NoDenormals mode;
    constexpr int kTile = Layout<T>::kKeys;
    const std::int64_t from = ranges_.hull_begin > begin ? (ranges_.hull_begin - begin) / kTile * kTile : 0;
    const std::int64_t to = ranges_.hull_end < end ? ranges_.hull_end - begin : end - begin;
    tile_begin_ = static_cast<int>(from);
    start_tiles(keys);
    const bool simple = kind == TileKind::kOnline && !extra_ && !(p_.softcap > 0);
    std::int64_t key = from;
    while (key < to) {
      const std::int64_t left = end - begin - key;
      const int size = tile_keys<T>(left);
      const ActiveVectors active = active_vectors(ranges_, begin + key, begin + key + size);
      int tiles = 1;
      const bool met = all_met(active);
      block_task_.plain = simple && met;
      block_task_.first = simple && !met;
      block_task_.near = block_task_.plain && all_near(active);
      if (size == kTile && met) {
        tiles = active.whole ? whole_tiles(ranges_, active, begin + key, begin + to)
                             : alike_tiles(ranges_, active, begin + key, begin + to);
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
    weigh<T>(score_, tile_at(block_task_, key, active.first * kN), size, active.last - active.first, kind,
             tiles);
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

  bool too_large() const {
    for (int v = 0; v < vectors_; ++v) {
      if (xsimd::any(load(rows_.sum + v * kN) >= set(kTooLarge))) return true;
    }
    return false;
  }

  /// Lanes that grew too large start the block anew from its largest score; the others exactly as they did.
  void new_references(const Rows<T>& keys, std::int64_t begin, std::int64_t end) {
    for (int lane = 0; lane < vectors_ * kN; ++lane) {
      s_.correction[lane] = rows_.sum[lane] >= kTooLarge ? T{0} : T{1};
      s_.largest[lane] = kMinusInf<T>;
    }
    weigh_block(keys, begin, end, TileKind::kLargest);
    for (int lane = 0; lane < vectors_ * kN; ++lane) {
      const bool grew = s_.correction[lane] == 0;
      const T reference = s_.largest[lane], before = s_.saved_reference[lane];
      rows_.sum[lane] = s_.saved_sum[lane];
      rows_.reference[lane] = before;
      if (!grew) continue;
      const T correction = before == kMinusInf<T> ? T{0} : scalar_exp2(before - reference);
      rows_.reference[lane] = reference;
      rows_.sum[lane] *= correction;
      if (few_columns()) {
        for (std::int64_t c = 0; c < p_.Dv; ++c) s_.lane_out[c * kWidth + lane] *= correction;
      } else if (!fresh_ && lane < block_.count) {
        for (std::int64_t c = 0; c < p_.Dv; ++c) rows_.out[lane * p_.Dv + c] *= correction;
      }
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

  void pool_values(std::int64_t begin) {
    Rows<T> values = rows_of<T>(p_.values, block_.b, hkv_, begin);
    values = unit_columns(values, tile_end_, p_.Dv, s_.values);
    // A weight of 0 times a value that is not finite would be NaN: such values are pooled pair by pair.
    const bool by_pair = masked_ && !masked_values_finite(values, begin);
    if (by_pair) values = finite_rows(values, tile_end_, p_.Dv, s_.values);
    if (few_columns()) {
      const auto pool_columns = [&](T* out) {
        pool_lanes<T>(s_.weights + tile_begin_ * kWidth, values.at(tile_begin_), values.row, p_.Dv,
                      tile_end_ - tile_begin_, vectors_, out);
      };
      if (may_flush_) {
        std::fill_n(s_.lane_sums, kWidth, T{0});
        {
          const NoDenormals mode;
          pool_columns(s_.lane_sums);
        }
        add_lane_sums();
      } else {
        pool_columns(s_.lane_out);
      }
    } else {
      // The last sums go straight to the output, divided.
      written_ = last_ && one_chunk_ && !by_pair;
      inverse_sums_ = written_ ? rows_in_hand_.inverse_sums(rows_) : nullptr;
      pool<T>(block_.count, p_.Dv,
              [&](int first, int rows) { return pool_task(values, begin, first, rows); });
      fresh_ = false;
    }
    if (by_pair) pool_by_pair(begin);
  }

  /// Values that some row attends to and some row does not.
  bool masked_values_finite(const Rows<T>& values, std::int64_t begin) const {
    const KeyRange shared = extra_ ? KeyRange{0, 0} : shared_keys(ranges_, vectors_);
    const auto clipped = [&](std::int64_t key) {
      return static_cast<int>(std::clamp<std::int64_t>(key - begin, tile_begin_, tile_end_));
    };
    const int first = clipped(shared.first), last = std::max(clipped(shared.last), first);
    const auto finite = [&](int from, int to) {
      return all_rows_finite(Rows<T>{values.at(from), values.row, 1}, to - from, p_.Dv);
    };
    return finite(tile_begin_, first) && finite(last, tile_end_);
  }

  PoolTask<T> pool_task(const Rows<T>& values, std::int64_t begin, int first, int rows) {
    std::int64_t from = masked_ ? tile_end_ : tile_begin_, to = masked_ ? tile_begin_ : tile_end_;
    for (int lane = first; masked_ && lane < first + rows; ++lane) {
      from = std::min(from, std::max<std::int64_t>(ranges_.first[lane] - begin, tile_begin_));
      to = std::max(to, std::min<std::int64_t>(ranges_.last[lane] - begin, tile_end_));
    }
    PoolTask<T> task = pool_onto<T>(rows_.out + first * p_.Dv, p_.Dv, s_.weights + from * kWidth + first,
                                    kWidth, 1, {values.at(from), values.row, 1}, to > from ? to - from : 0);
    if (fresh_) task.from = nullptr;
    if (last_) coming_.fetch_with(task);
    if (written_) {
      task.out = row_of<T>(f_.out, block_.b, block_.h, block_.i + first);
      task.out_stride = f_.out.row;
      task.scale = inverse_sums_ + first;
    }
    return task;
  }

  void pool_by_pair(std::int64_t begin) {
    const Rows<T> values = rows_of<T>(p_.values, block_.b, hkv_, begin);
    for (int j = tile_begin_; j < tile_end_; ++j) {
      bool keep = true;
      for (std::int64_t c = 0; c < p_.Dv; ++c) {
        const T x = values.at(j)[c * values.column];
        keep = keep && x - x == 0;
      }
      if (keep) continue;
      for (int lane = 0; lane < block_.count; ++lane) {
        const bool takes_part = begin + j >= ranges_.first[lane] && begin + j < ranges_.last[lane] &&
                                !(extra_ && extra_[j * kWidth + lane] == kMinusInf<T>);
        if (!takes_part) continue;
        for (std::int64_t c = 0; c < p_.Dv; ++c) {
          T& out = few_columns() ? s_.lane_out[c * kWidth + lane] : rows_.out[lane * p_.Dv + c];
          out += s_.weights[j * kWidth + lane] * values.at(j)[c * values.column];
        }
      }
    }
  }

  const AttendForward& f_;
  const AttendProblem& p_;
  Score& score_;
  QueryBlock block_, next_;  ///< next_.count is 0 after the last
  const ForwardScratch<T>& s_;
  KeyRanges<T> ranges_;
  RowsInHand<T> rows_in_hand_;
  RunningRows<T> rows_{};  ///< of the chunk under way
  const T* inverse_sums_ = nullptr;
  int vectors_ = 0;
  std::int64_t hkv_ = 0;
  T* extra_ = nullptr;
  FetchedRows<T> ahead_{};
  bool last_ = false;  ///< no keys come after the block under way
  ComingRows<T> coming_;
  bool one_chunk_ = false;
  bool fresh_ = true;  ///< nothing has been added to the chunk's rows yet: they hold anything
  bool written_ = false;
  bool met_[Layout<T>::kVectors] = {};
  TileTask<T> block_task_{};  ///< of a tile at the key block's first key and lane
  bool may_flush_ = false;    ///< one value feature, none of the block's values denormal or nearly so
  bool relative_ = false;     ///< ranges relative to the key block are known
  bool masked_ = false;       ///< some pair of the key block does not take part
  int tile_begin_ = 0, tile_end_ = 0;
};

}  // namespace heed::kernels::cpu::HEED_TIER
