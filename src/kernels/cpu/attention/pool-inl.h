// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Pooling: out[i][c] = from[i][c] + sum_j weights[j][i] * values[j][c], value features along the lanes, weights as scalars.
#pragma once

#include "kernels/cpu/attention/layout-inl.h"
#include "kernels/cpu/attention/pack-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Lines of a row that are fetched together: those of a tile.
inline constexpr int kBandLines = 4;
template <class T>
inline constexpr int kLine = static_cast<int>(64 / sizeof(T));  ///< elements

/// What one call pools: keys [first, first + count), weights (., .) with rows `weight_stride` apart, into rows of `out`.
template <class T>
struct PoolTask {
  const T* weights;
  std::int64_t weight_stride;  ///< from key to key
  std::int64_t lane_stride;    ///< from query to query
  const T* values;
  std::int64_t value_stride;
  T* out;
  std::int64_t out_stride;
  std::int64_t first, count;
  const T* from;  ///< added to the sums; none: 0
  std::int64_t from_stride;
  const T* scale;        ///< (rows): what sums are multiplied by in the end; none: nothing
  FetchedRows<T> ahead;  ///< what to fetch meanwhile, a line for each key, row by row:
  int ahead_rows;        ///< so many rows, kBandLines lines of each

  void move_rows(std::int64_t rows) {
    weights += rows * lane_stride;
    out += rows * out_stride;
    if (from) from += rows * from_stride;
    if (scale) scale += rows;
  }
  void move_columns(std::int64_t columns) {
    values += columns;
    out += columns;
    if (from) from += columns;
  }
  /// Whether every row of values begins at a cache line.
  bool on_lines() const {
    return reinterpret_cast<std::uintptr_t>(values) % 64 == 0 && value_stride % kLine<T> == 0;
  }
};

/// Rows that come from far away while others are pooled: so many of them with a tile, in bands as wide as a tile, for memory
/// does not take them all at once and the first tile's output is needed first.
template <class T>
class ComingRows {
 public:
  void clear() { *this = {}; }
  void add(const T* rows, std::int64_t stride, int count, std::int64_t columns) {
    if (count > 0 && columns > 0) rows_[size_++] = {rows, stride, columns, count};
  }

  /// The next rows are fetched by this task.
  void fetch_with(PoolTask<T>& task) {
    constexpr int kBand = kBandLines * kLine<T>, kRowsAtOnce = 16;
    task.ahead_rows = 0;
    if (next_ == size_) return;
    const Item& item = rows_[next_];
    task.ahead = {item.data + row_ * item.stride + column_, item.stride};
    task.ahead_rows = std::min(item.count - row_, kRowsAtOnce);
    row_ += kRowsAtOnce;
    if (row_ < item.count) return;
    row_ = 0;
    column_ += kBand;
    if (column_ < item.columns) return;
    column_ = 0;
    ++next_;
  }

 private:
  struct Item {
    const T* data;
    std::int64_t stride, columns;
    int count;
  };
  Item rows_[3] = {};
  int size_ = 0, next_ = 0, row_ = 0;
  std::int64_t column_ = 0;
};

/// Adds to `out`.
template <class T>
PoolTask<T> pool_onto(T* out, std::int64_t out_stride, const T* weights, std::int64_t weight_stride,
                      std::int64_t lane_stride, const Rows<T>& values, std::int64_t count) {
  return {weights, weight_stride, lane_stride, values.data, values.row, out, out_stride,
          0,       count,         out,         out_stride,  nullptr,    {},  0};
}

/// kRows x kVecs accumulators; the last vector holds `last` features if kPartial. Not inlined: compiled once for all that
/// pool, and a call is nothing beside a tile.
template <class T, int kRows, int kVecs, bool kPartial>
__attribute__((noinline)) void pool_tile(const PoolTask<T>& t, int last) {
  constexpr int kN = kLanes<T>;
  const auto read = [&](const T* p, int v) {
    return kPartial && v == kVecs - 1 ? load_first(p + v * kN, last) : load(p + v * kN);
  };
  Vec<T> sum[kRows][kVecs];
  HEED_UNROLL
  for (int r = 0; r < kRows; ++r) {
    HEED_UNROLL
    for (int v = 0; v < kVecs; ++v) sum[r][v] = set(T{0});
  }
  const T* value = t.values + t.first * t.value_stride;
  const T* weight = t.weights + t.first * t.weight_stride;
  // A store may be to anything, the task itself too, which would then be read again after each.
  const T *const from = t.from, *const scale = t.scale;
  T* const out = t.out;
  const std::int64_t count = t.count, value_stride = t.value_stride, weight_stride = t.weight_stride,
                     lane_stride = t.lane_stride, out_stride = t.out_stride, from_stride = t.from_stride;
  const auto add_key = [&]() HEED_INLINE_LAMBDA {
    Vec<T> x[kVecs];
    HEED_UNROLL
    for (int v = 0; v < kVecs; ++v) x[v] = read(value, v);
    HEED_UNROLL
    for (int r = 0; r < kRows; ++r) {
      const Vec<T> w = set(weight[r * lane_stride]);
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) sum[r][v] = fma(w, x[v], sum[r][v]);
    }
    value += value_stride;
    weight += weight_stride;
  };
  std::int64_t j = 0;
  const T* ahead = t.ahead.data;
  for (int row = 0; row < t.ahead_rows && j + kBandLines <= count; ++row, j += kBandLines) {
    HEED_UNROLL
    for (int line = 0; line < kBandLines; ++line) {
      __builtin_prefetch(ahead + line * kLine<T>, 0, 2);
      add_key();
    }
    ahead += t.ahead.stride;
  }
  HEED_UNROLL_2
  for (; j < count; ++j) add_key();
  HEED_UNROLL
  for (int r = 0; r < kRows; ++r) {
    const auto each = [&](const auto& body) HEED_INLINE_LAMBDA {
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) body(sum[r][v], v);
    };
    // Last, so that no multiplication waits for it.
    if (from) each([&](Vec<T>& x, int v) HEED_INLINE_LAMBDA { x = x + read(from + r * from_stride, v); });
    if (scale) each([&](Vec<T>& x, int) HEED_INLINE_LAMBDA { x = x * set(scale[r]); });
    each([&](const Vec<T>& x, int v) HEED_INLINE_LAMBDA {
      T* p = out + r * out_stride + v * kN;
      if (kPartial && v == kVecs - 1) {
        store_first(p, x, last);
      } else {
        store(p, x);
      }
    });
  }
}

/// All rows of one band of kVecs vectors, tile by tile. Between two tiles next to nothing is left to do: the processor cannot
/// overlap it with their products.
template <class T, int kVecs, bool kPartial, class Adjust>
void pool_band(int rows, int last, PoolTask<T> task, const Adjust& adjust) {
  constexpr int kFit = Layout<T>::kAccumulators / kVecs;
  constexpr int kMost = Layout<T>::kQueries < 12 ? Layout<T>::kQueries : 12;
  constexpr int kTall = kFit < kMost ? kFit : kMost;
  int i = 0;
  const auto tiles_of = [&]<int kRows>() {
    for (; i + kRows <= rows; i += kRows) {
      adjust(task, i, kRows);
      pool_tile<T, kRows, kVecs, kPartial>(task, last);
      task.move_rows(kRows);
    }
  };
  tiles_of.template operator()<kTall>();
  tiles_of.template operator()<4>();
  tiles_of.template operator()<2>();
  tiles_of.template operator()<1>();
}

struct AsItIs {
  void operator()(const auto& /*task*/, int /*first*/, int /*rows*/) const {}
};

/// Pools `columns` features for `rows` rows; `task` is that of the first. adjust(task, first, rows) may set what differs for rows
/// [first, first + rows): which keys, and what is fetched meanwhile.
template <class T, class Adjust = AsItIs>
void pool(int rows, std::int64_t columns, PoolTask<T> task, const Adjust& adjust = {}) {
  constexpr int kN = kLanes<T>, kMost = Layout<T>::kPoolVectors;
  std::int64_t vectors = (columns + kN - 1) / kN;
  std::int64_t first = 0;
  // A band of four whole lines takes five of each row that begins within one, as NumPy's do: more than the first-level cache
  // holds of a key block. Half as wide it fits: 3 % of d = 128 on Intel.
  const bool narrow = kMost == 4 && vectors > kMost && !task.on_lines();
  while (vectors > 0) {
    // Bands of even width: 5 vectors are 3 + 2, not 4 + 1, which would leave the last tile starved for loads.
    const std::int64_t bands = (vectors + kMost - 1) / kMost;
    const int even = static_cast<int>((vectors + bands - 1) / bands), vecs = narrow && even == 4 ? 2 : even;
    const int last = static_cast<int>(columns - (first + vecs - 1) * kN);
    const bool partial = last < kN;
    const auto run = [&]<int kVecs>() {
      if (partial) {
        pool_band<T, kVecs, true>(rows, last, task, adjust);
      } else {
        pool_band<T, kVecs, false>(rows, last, task, adjust);
      }
    };
    if (vecs == 1) run.template operator()<1>();
    if (vecs == 2) run.template operator()<2>();
    if constexpr (kMost >= 4) {
      if (vecs == 3) run.template operator()<3>();
      if (vecs == 4) run.template operator()<4>();
    }
    task.move_columns(vecs * kN);
    first += vecs;
    vectors -= vecs;
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
