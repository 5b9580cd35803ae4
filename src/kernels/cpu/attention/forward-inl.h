// Forward of one query block: key blocks in order, each weighed tile by tile and then pooled.
#pragma once

#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/pool-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Hands out aligned pieces of one allocation.
class Arena {
 public:
  explicit Arena(void* memory) : next_(static_cast<char*>(memory)) {}
  template <class T>
  T* take(std::int64_t count) {
    T* result = reinterpret_cast<T*>(next_);
    next_ += (count * static_cast<std::int64_t>(sizeof(T)) + 63) / 64 * 64;
    return result;
  }
  std::size_t used(const void* memory) const {
    return static_cast<std::size_t>(next_ - static_cast<const char*>(memory));
  }

 private:
  char* next_;
};

template <class T>
struct ForwardScratch {
  T *queries, *weights, *extra, *factors, *keys, *values;
  T *reference, *sum, *low, *high, *largest, *saved_reference, *saved_sum, *correction;

  ForwardScratch(Arena& arena, const AttendProblem& p) {
    constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
    queries = arena.take<T>(p.D * kWidth);
    weights = arena.take<T>(kBlock * kWidth);
    extra = p.bias.data || p.mask.allowed.data ? arena.take<T>(kBlock * kWidth) : nullptr;
    factors = p.dropout.threshold > 0 ? arena.take<T>(kBlock * kWidth) : nullptr;
    keys = p.keys.column == 1 ? nullptr : arena.take<T>(kBlock * p.D);
    values = arena.take<T>(kBlock * p.Dv);
    for (T** lanes : {&reference, &sum, &low, &high, &largest, &saved_reference, &saved_sum, &correction}) {
      *lanes = arena.take<T>(kWidth);
    }
  }
};

template <class T, class Score>
class ForwardBlock {
 public:
  ForwardBlock(const AttendForward& f, const Score& score, const QueryBlock& block,
               const ForwardScratch<T>& scratch)
      : f_(f), p_(f.problem), score_(score), block_(block), s_(scratch), ranges_(f.problem, block) {
    vectors_ = (block.count + kN - 1) / kN;
    hkv_ = block.h / (p_.H / p_.Hkv);
  }

  /// `scale` goes into the packed queries.
  void run(T scale) {
    T* out = row_of<T>(f_.out, block_.b, block_.h, block_.i);
    for (int i = 0; i < block_.count; ++i) {
      for (std::int64_t c = 0; c < p_.Dv; ++c) out[i * f_.out.row + c] = 0;
    }
    for (int lane = 0; lane < kWidth; ++lane) {
      s_.reference[lane] = lane < block_.count ? kMinusInf<T> : T{0};
      s_.sum[lane] = 0;
    }
    if (ranges_.hull_begin < ranges_.hull_end) {
      pack<T>(rows_of<T>(p_.queries, block_.b, block_.h, block_.i), block_.count, p_.D, scale, s_.queries);
      const std::int64_t first = ranges_.hull_begin / kBlock * kBlock;
      for (std::int64_t begin = first; begin < ranges_.hull_end; begin += kBlock) {
        key_block(begin, begin + kBlock < p_.Lk ? begin + kBlock : p_.Lk, out);
      }
    }
    finish(out);
  }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
  static constexpr T kTooLarge = static_cast<T>(1e12);

  void key_block(std::int64_t begin, std::int64_t end, T* out) {
    const bool has_bias = p_.bias.data != nullptr;
    extra_ = has_bias ? s_.extra : nullptr;
    if (p_.mask.allowed.data) {
      const Allowed allowed = summarise(p_.mask.allowed, block_, begin, end);
      if (allowed == Allowed::kNone) return;
      if (allowed == Allowed::kSome) extra_ = s_.extra;
    }
    if (extra_) fill_extra<T>(p_, block_, begin, end, extra_);
    relative_ranges(ranges_, begin, s_.low, s_.high);
    Rows<T> keys = rows_of<T>(p_.keys, block_.b, hkv_, begin);
    keys = unit_columns(keys, end - begin, p_.D, s_.keys);

    copy_lanes(s_.saved_reference, s_.reference);
    copy_lanes(s_.saved_sum, s_.sum);
    masked_ = extra_ != nullptr;
    weigh_block(keys, begin, end, TileKind::kOnline);
    if (too_large()) {
      new_references(keys, begin, end, out);
      weigh_block(keys, begin, end, TileKind::kOnline);
    }
    if (s_.factors) drop(begin);
    pool_values(begin, out);
  }

  /// Tiles of the block in order; sets tile_begin_, tile_end_ to the keys whose weights were written.
  void weigh_block(const Rows<T>& keys, std::int64_t begin, std::int64_t end, TileKind kind) {
    constexpr int kTile = Layout<T>::kKeys;
    const std::int64_t from = ranges_.hull_begin > begin ? (ranges_.hull_begin - begin) / kTile * kTile : 0;
    const std::int64_t to = ranges_.hull_end < end ? ranges_.hull_end - begin : end - begin;
    tile_begin_ = static_cast<int>(from);
    std::int64_t key = from;
    while (key < to) {
      const std::int64_t left = end - begin - key;
      const int size = tile_keys<T>(left);
      // As many whole tiles at once as lie in every row's range.
      int tiles = 1;
      ActiveVectors active = active_vectors(ranges_, begin + key, begin + key + size);
      if (active.whole && size == kTile && all_met(active)) {
        const std::int64_t stop =
            ranges_.inner_end[active.first] < begin + to ? ranges_.inner_end[active.first] - begin : to;
        const int most = static_cast<int>((stop - key) / kTile);
        if (most > 1) {
          const ActiveVectors all = active_vectors(ranges_, begin + key, begin + key + most * kTile);
          if (all.whole && all.first == active.first && all.last == active.last) tiles = most;
        }
      }
      tile(keys, active, static_cast<int>(key), size, kind, tiles);
      key += size * tiles;
    }
    tile_end_ = static_cast<int>(key);
  }

  void tile(const Rows<T>& keys, const ActiveVectors& active, int key, int size, TileKind kind, int tiles) {
    masked_ = masked_ || !active.whole || active.first > 0 || active.last < vectors_;
    clear_inactive(s_.weights + key * kWidth, size * tiles, active, vectors_);
    if (active.first >= active.last) return;
    TileTask<T> block;
    block.keys = keys.data;
    block.key_stride = keys.row;
    block.queries = s_.queries;
    block.weights = s_.weights;
    block.lanes = {s_.reference, s_.sum};
    block.mask = {s_.low, s_.high, extra_, softcap(), nullptr};
    block.largest = s_.largest;
    block.whole =
        kind == TileKind::kOnline && active.whole && all_met(active) && !extra_ && !(p_.softcap > 0);
    const TileTask<T> t = tile_at(block, key, active.first * kN);
    weigh<T>(score_, t, size, active.last - active.first, kind, tiles);
  }

  T softcap() const { return static_cast<T>(p_.softcap * 1.4426950408889634); }

  /// Whether every row of these vectors has a reference.
  bool all_met(const ActiveVectors& active) {
    for (int v = active.first; v < active.last; ++v) {
      for (int lane = v * kN; !met_[v] && lane < (v + 1) * kN && lane < block_.count; ++lane) {
        if (s_.reference[lane] == kMinusInf<T>) return false;
      }
      met_[v] = true;
    }
    return true;
  }

  bool too_large() const {
    for (int lane = 0; lane < block_.count; ++lane) {
      if (s_.sum[lane] >= kTooLarge) return true;
    }
    return false;
  }

  /// Lanes that grew too large start the block anew from its largest score; the others exactly as they did.
  void new_references(const Rows<T>& keys, std::int64_t begin, std::int64_t end, T* out) {
    for (int lane = 0; lane < kWidth; ++lane) {
      s_.correction[lane] = s_.sum[lane] >= kTooLarge ? T{0} : T{1};
      s_.largest[lane] = kMinusInf<T>;
    }
    weigh_block(keys, begin, end, TileKind::kLargest);
    for (int lane = 0; lane < kWidth; ++lane) {
      const bool grew = s_.correction[lane] == 0;
      const T reference = s_.largest[lane];
      s_.sum[lane] = s_.saved_sum[lane];
      if (grew) {
        const T before = s_.saved_reference[lane];
        s_.correction[lane] = before == kMinusInf<T> ? T{0} : scalar_exp2(before - reference);
        s_.reference[lane] = reference;
        s_.sum[lane] *= s_.correction[lane];
        if (lane < block_.count) {
          for (std::int64_t c = 0; c < p_.Dv; ++c) out[lane * f_.out.row + c] *= s_.correction[lane];
        }
      } else {
        s_.reference[lane] = s_.saved_reference[lane];
      }
    }
    for (bool& met : met_) met = false;
  }

  static T scalar_exp2(T x) {
    T lanes[kN];
    store(lanes, exp2(set(x)));
    return lanes[0];
  }

  static void copy_lanes(T* to, const T* from) {
    for (int v = 0; v < Layout<T>::kVectors; ++v) store(to + v * kN, load(from + v * kN));
  }

  void drop(std::int64_t begin) {
    block_dropout<T>(p_.dropout, {block_.b, block_.h, block_.i, begin}, tile_end_, vectors_, s_.factors);
    for (std::int64_t n = tile_begin_ * kWidth; n < tile_end_ * kWidth; n += kN) {
      store(s_.weights + n, load(s_.weights + n) * load(s_.factors + n));
    }
  }

  void pool_values(std::int64_t begin, T* out) {
    Rows<T> values = rows_of<T>(p_.values, block_.b, hkv_, begin);
    values = unit_columns(values, tile_end_, p_.Dv, s_.values);
    // A weight of 0 times a value that is not finite would be NaN: such values are pooled pair by pair.
    const bool careful = masked_ && !all_finite(values);
    if (careful) values = finite_only(values);
    pool<T>(block_.count, p_.Dv, [&](int first, int rows) {
      std::int64_t from = tile_end_, to = tile_begin_;
      for (int lane = first; lane < first + rows; ++lane) {
        if (ranges_.first[lane] - begin < from) from = ranges_.first[lane] - begin;
        if (ranges_.last[lane] - begin > to) to = ranges_.last[lane] - begin;
      }
      from = from < tile_begin_ ? tile_begin_ : from;
      to = to > tile_end_ ? tile_end_ : to;
      return PoolTask<T>{s_.weights + from * kWidth + first,
                         kWidth,
                         1,
                         values.at(from),
                         values.row,
                         out + first * f_.out.row,
                         f_.out.row,
                         to > from ? to - from : 0};
    });
    if (careful) pool_by_pair(begin, out);
  }

  bool all_finite(const Rows<T>& values) const {
    Vec<T> zero = set(T{0});
    for (int j = tile_begin_; j < tile_end_; ++j) {
      std::int64_t c = 0;
      for (; c + kN <= p_.Dv; c += kN) zero = xsimd::fma(load(values.at(j) + c), set(T{0}), zero);
      for (; c < p_.Dv; ++c) zero = xsimd::fma(set(values.at(j)[c]), set(T{0}), zero);
    }
    T lanes[kN];
    store(lanes, zero);
    for (int i = 0; i < kN; ++i) {
      if (lanes[i] != 0) return false;
    }
    return true;
  }

  static bool finite(T x) { return x - x == 0; }

  Rows<T> finite_only(const Rows<T>& values) {
    for (int j = tile_begin_; j < tile_end_; ++j) {
      bool keep = true;
      for (std::int64_t c = 0; c < p_.Dv; ++c) keep = keep && finite(values.at(j)[c]);
      for (std::int64_t c = 0; c < p_.Dv; ++c) s_.values[j * p_.Dv + c] = keep ? values.at(j)[c] : T{0};
    }
    return {s_.values, p_.Dv, 1};
  }

  void pool_by_pair(std::int64_t begin, T* out) {
    const Rows<T> values = rows_of<T>(p_.values, block_.b, hkv_, begin);
    for (int j = tile_begin_; j < tile_end_; ++j) {
      bool keep = true;
      for (std::int64_t c = 0; c < p_.Dv; ++c) keep = keep && finite(values.at(j)[c * values.column]);
      if (keep) continue;
      for (int lane = 0; lane < block_.count; ++lane) {
        const bool takes_part = begin + j >= ranges_.first[lane] && begin + j < ranges_.last[lane] &&
                                !(extra_ && extra_[j * kWidth + lane] == kMinusInf<T>);
        if (!takes_part) continue;
        for (std::int64_t c = 0; c < p_.Dv; ++c) {
          out[lane * f_.out.row + c] += s_.weights[j * kWidth + lane] * values.at(j)[c * values.column];
        }
      }
    }
  }

  /// Divides by the sums and writes the log-sum-exp.
  void finish(T* out) {
    T* lse = static_cast<T*>(f_.log_sum_exp) + (block_.b * p_.H + block_.h) * p_.Lq + block_.i;
    for (int v = 0; v < vectors_; ++v) {
      const Vec<T> sum = load(s_.sum + v * kN), reference = load(s_.reference + v * kN);
      const auto empty = (reference == set(kMinusInf<T>)) & (sum == set(T{0}));
      const Vec<T> natural = (reference + xsimd::log2(sum)) * set(static_cast<T>(0.6931471805599453));
      store(s_.largest + v * kN, xsimd::select(empty, set(kMinusInf<T>), natural));
      store(s_.correction + v * kN, xsimd::select(empty, set(T{0}), set(T{1}) / sum));
    }
    for (int i = 0; i < block_.count; ++i) {
      lse[i] = s_.largest[i];
      T* row = out + i * f_.out.row;
      std::int64_t c = 0;
      const Vec<T> inverse = set(s_.correction[i]);
      for (; c + kN <= p_.Dv; c += kN) store(row + c, load(row + c) * inverse);
      for (; c < p_.Dv; ++c) row[c] *= s_.correction[i];
    }
  }

  const AttendForward& f_;
  const AttendProblem& p_;
  const Score& score_;
  QueryBlock block_;
  const ForwardScratch<T>& s_;
  KeyRanges<T> ranges_;
  int vectors_ = 0;
  std::int64_t hkv_ = 0;
  T* extra_ = nullptr;
  bool met_[Layout<T>::kVectors] = {};
  bool masked_ = false;  ///< some pair of the key block does not take part
  int tile_begin_ = 0, tile_end_ = 0;
};

}  // namespace heed::kernels::cpu::HEED_TIER
