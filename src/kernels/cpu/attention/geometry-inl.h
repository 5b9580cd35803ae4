// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which keys the rows of a query block may attend to, and how much of a tile that is.
#pragma once

#include "kernels/attention.h"
#include "kernels/cpu/attention/key_range.h"
#include "kernels/cpu/attention/layout-inl.h"
#include "kernels/cpu/attention/pack-inl.h"
#include "kernels/cpu/attention/tier.h"

#include <algorithm>

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
HEED_INLINE T* row_of(const HeadedMatrix& m, std::int64_t b, std::int64_t h, std::int64_t i) {
  return static_cast<T*>(m.data) + b * m.batch + h * m.head + i * m.row;
}
template <class T>
Rows<T> rows_of(const HeadedMatrix& m, std::int64_t b, std::int64_t h, std::int64_t i) {
  return {row_of<T>(m, b, h, i), m.row, m.column};
}

/// std::clamp is not always inlined.
HEED_INLINE std::int64_t clamp(std::int64_t x, std::int64_t low, std::int64_t high) {
  return std::min(std::max(x, low), high);
}

/// Lanes [first, last) of a vector.
template <class T>
HEED_INLINE Mask<T> lanes_in(std::int64_t first, std::int64_t last) {
  const Vec<T> lane = lane_numbers<T>();
  return (lane >= set(static_cast<T>(first))) & (lane < set(static_cast<T>(last)));
}

/// Key ranges of the rows of a block; lanes beyond the rows have none, vectors beyond the last of them are not set.
template <class T>
struct KeyRanges {
  static constexpr int kN = kLanes<T>, kVectors = Layout<T>::kVectors;
  std::int64_t first[Layout<T>::kQueries], last[Layout<T>::kQueries];
  /// Per vector of lanes: every range lies in [begin, end); [inner_begin, inner_end) lies in every range.
  std::int64_t begin[kVectors], end[kVectors], inner_begin[kVectors], inner_end[kVectors];
  std::int64_t hull_begin, hull_end;

  void set(const AttendProblem& p, const QueryBlock& block) {
    const KeyRange top = key_range(p, block.b, block.i),
                   bottom = key_range(p, block.b, block.i + block.count - 1);
    const bool lengths_differ = p.mask.valid_lens && p.mask.lens_row_stride != 0;
    if (!lengths_differ && top.first < top.last && bottom.first < bottom.last) {
      return set_band(p, block, top, bottom);
    }
    for (int lane = 0; lane < (block.count + kN - 1) / kN * kN; ++lane) {
      const KeyRange range = lane < block.count ? key_range(p, block.b, block.i + lane) : KeyRange{0, 0};
      first[lane] = range.first;
      last[lane] = range.last;
    }
    summarise(p.Lk, block.count);
  }

  /// A band moves on from row to row: with keys for the first and the last row there are keys for all of them, and the
  /// first and last lanes of a vector say all about it.
  void set_band(const AttendProblem& p, const QueryBlock& block, const KeyRange& top,
                const KeyRange& bottom) {
    const int count = block.count, lanes = (count + kN - 1) / kN * kN;
    const std::int64_t length =
        p.mask.valid_lens ? p.mask.valid_lens[block.b * p.mask.lens_batch_stride] : p.Lk;
    // Nothing is read from memory while ranges are written to it, so that the compiler makes vectors of them.
    const std::int64_t low = block.i + p.mask.low, high = block.i + p.mask.high + 1,
                       stop = std::min(length, p.Lk);
    for (int lane = 0; lane < count; ++lane) first[lane] = std::max<std::int64_t>(low + lane, 0);
    for (int lane = 0; lane < count; ++lane) last[lane] = std::min(high + lane, stop);
    std::fill(first + count, first + lanes, 0);
    std::fill(last + count, last + lanes, 0);
    for (int v = 0; v < kVectors; ++v) {
      const bool any = v * kN < count;
      const int top_lane = v * kN, bottom_lane = std::min((v + 1) * kN, count) - 1;
      begin[v] = any ? first[top_lane] : p.Lk;
      end[v] = any ? last[bottom_lane] : 0;
      inner_begin[v] = any ? first[bottom_lane] : 0;
      inner_end[v] = any ? last[top_lane] : p.Lk;
    }
    hull_begin = top.first;
    hull_end = bottom.last;
  }

  /// Sets everything but first and last from them.
  void summarise(std::int64_t Lk, int count) {
    hull_begin = Lk;
    hull_end = 0;
    for (int v = 0; v < kVectors; ++v) {
      begin[v] = inner_end[v] = Lk;
      end[v] = inner_begin[v] = 0;
      for (int lane = v * kN; lane < (v + 1) * kN && lane < count; ++lane) {
        if (first[lane] >= last[lane]) {  // an empty row: no tile is whole for its vector
          inner_end[v] = 0;
          continue;
        }
        if (first[lane] < begin[v]) begin[v] = first[lane];
        if (last[lane] > end[v]) end[v] = last[lane];
        if (first[lane] > inner_begin[v]) inner_begin[v] = first[lane];
        if (last[lane] < inner_end[v]) inner_end[v] = last[lane];
      }
      if (begin[v] < end[v]) {
        if (begin[v] < hull_begin) hull_begin = begin[v];
        if (end[v] > hull_end) hull_end = end[v];
      }
    }
  }
};

/// The vectors [first, last) that meet keys [begin, end), and whether every lane of them meets every key.
struct ActiveVectors {
  int first, last;
  bool whole;
};
template <class T>
ActiveVectors active_vectors(const KeyRanges<T>& ranges, std::int64_t begin, std::int64_t end) {
  ActiveVectors active{0, 0, true};
  for (int v = 0; v < KeyRanges<T>::kVectors; ++v) {
    if (ranges.begin[v] >= end || ranges.end[v] <= begin) continue;
    if (active.last == 0) active.first = v;
    active.last = v + 1;
  }
  for (int v = active.first; v < active.last; ++v) {
    active.whole = active.whole && ranges.inner_begin[v] <= begin && ranges.inner_end[v] >= end;
  }
  return active;
}

/// Keys that every row of these vectors attends to.
template <class T>
KeyRange shared_keys(const KeyRanges<T>& ranges, int vectors) {
  KeyRange shared{ranges.inner_begin[0], ranges.inner_end[0]};
  for (int v = 1; v < vectors; ++v) {
    shared.first = std::max(shared.first, ranges.inner_begin[v]);
    shared.last = std::min(shared.last, ranges.inner_end[v]);
  }
  return shared;
}

/// How many tiles from key `begin` on, up to key `end`, are whole for the same vectors as the first one, which is; at least 1.
template <class T>
int whole_tiles(const KeyRanges<T>& ranges, const ActiveVectors& active, std::int64_t begin,
                std::int64_t end) {
  const std::int64_t inner = ranges.inner_end[active.first], stop = inner < end ? inner : end;
  const int most = static_cast<int>((stop - begin) / Layout<T>::kKeys);
  if (most <= 1) return 1;
  const ActiveVectors all = active_vectors(ranges, begin, begin + most * Layout<T>::kKeys);
  return all.whole && all.first == active.first && all.last == active.last ? most : 1;
}

/// How many tiles from key `begin` on, up to key `end`, meet the same vectors as the first one and, like it, are not whole as
/// far as is easily seen; at least 1.
template <class T>
int alike_tiles(const KeyRanges<T>& ranges, const ActiveVectors& active, std::int64_t begin,
                std::int64_t end) {
  constexpr std::int64_t kTile = Layout<T>::kKeys;
  std::int64_t most = (end - begin) / kTile;
  for (int v = 0; v < KeyRanges<T>::kVectors; ++v) {
    const bool among = v >= active.first && v < active.last;
    const std::int64_t edge = ranges.inner_begin[v] > begin ? ranges.inner_begin[v] : ranges.end[v],
                       change = among ? edge + kTile - 1 : ranges.begin[v];
    if (change > begin) most = std::min(most, (change - begin) / kTile);
  }
  return static_cast<int>(std::max<std::int64_t>(most, 1));
}

/// Ranges of the first `lanes` lanes relative to a key block, as numbers to compare lanes with.
template <class T>
void relative_ranges(const KeyRanges<T>& ranges, std::int64_t block_begin, int lanes, T* low, T* high) {
  const auto clip = [&](const std::int64_t* keys, T* out) {
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t key = clamp(keys[lane] - block_begin, 0, Layout<T>::kBlock);
      out[lane] = static_cast<T>(static_cast<std::int32_t>(key));
    }
  };
  clip(ranges.first, low);
  clip(ranges.last, high);
}

}  // namespace heed::kernels::cpu::HEED_TIER
