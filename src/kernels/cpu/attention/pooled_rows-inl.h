// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The values a query block has pooled: weighed keys are added block by block, and the last sums go to the output.
#pragma once

#include "kernels/cpu/attention/forward_scratch-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/pool_few-inl.h"
#include "kernels/cpu/attention/running_rows-inl.h"
#include "kernels/cpu/attention/weigh_and_pool-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Keys of a key block whose weights lie in the scratch memory.
template <class T>
struct WeighedKeys {
  std::int64_t begin;  ///< of the key block
  int first, last;     ///< of its keys
  bool masked;         ///< some pair does not take part
  const T* extra;      ///< as in BlockMask
  bool none_after;     ///< no keys come after the block
};

/// The block that a worker is likely to take after this one, for what is fetched ahead: up the query blocks of a head, then to
/// the next head. Its count is 0 after the last.
template <class T>
QueryBlock block_after(const AttendProblem& p, const QueryBlock& block) {
  constexpr int kWidth = Layout<T>::kQueries;
  if (block.i >= kWidth) return {block.b, block.h, block.i - kWidth, kWidth};
  const bool last_head = block.h + 1 == p.H;
  const std::int64_t b = last_head ? block.b + 1 : block.b, i = (p.Lq - 1) / kWidth * kWidth;
  return {b, last_head ? 0 : block.h + 1, i, b < p.B ? static_cast<int>(p.Lq - i) : 0};
}

template <class T>
class PooledRows {
 public:
  PooledRows(const AttendForward& f, const QueryBlock& block, const QueryBlock& next,
             const KeyRanges<T>& ranges, const RowsInHand<T>& rows_in_hand, const ForwardScratch<T>& scratch)
      : f_(f),
        p_(f.problem),
        block_(block),
        next_(next),
        ranges_(ranges),
        rows_in_hand_(rows_in_hand),
        s_(scratch),
        vectors_((block.count + kN - 1) / kN),
        hkv_(block.h / (p_.H / p_.Hkv)) {}

  /// From nothing. `all`: no other keys than those that are added now will come to the rows.
  void start(const RunningRows<T>& rows, bool all) {
    rows_ = rows;
    all_ = all;
    fresh_ = true;
    if (few_columns()) std::fill_n(s_.lane_out, p_.Dv * kWidth, T{0});
  }

  void add(const WeighedKeys<T>& keys) {
    const Rows<T> values =
        unit_columns(rows_of<T>(p_.values, block_.b, hkv_, keys.begin), keys.last, p_.Dv, s_.values);
    // The last sums go straight to the output, divided.
    written_ = keys.none_after && all_ && !few_columns();
    // A weight of 0 times a value that is not finite would be NaN: such values are pooled pair by pair. What is in the output
    // can be done again, and to look there is quicker: it is near.
    bool finite = !keys.masked || written_ || masked_values_finite(values, keys);
    if (finite) pool_all(values, keys);
    if (keys.masked && written_) finite = rows_in_hand_.output_finite();
    if (!finite) {
      written_ = false;
      pool_all(finite_elements(values, keys.last, p_.Dv, s_.values), keys);
      pool_by_pair(keys);
    }
    fresh_ = false;
  }

  /// Whether some sum that weigh_and_pool_lanes has pooled is so small that it may lack what was flushed.
  bool lane_sums_small() const {
    for (int v = 0; v < vectors_; ++v) {
      const auto small = xsimd::abs(load(s_.lane_sums + v * kN)) < set(kSmallestPooled<T>);
      if (xsimd::any(small & lanes_in<T>(0, block_.count - v * kN))) return true;
    }
    return false;
  }

  /// Not while denormal numbers are flushed: what was added before may be denormal.
  void add_lane_sums() {
    for (int v = 0; v < vectors_; ++v) {
      store(s_.lane_out + v * kN, load(s_.lane_out + v * kN) + load(s_.lane_sums + v * kN));
    }
  }

  /// A row's reference has changed.
  void multiply(int lane, T factor) {
    if (few_columns()) {
      for (std::int64_t c = 0; c < p_.Dv; ++c) s_.lane_out[c * kWidth + lane] *= factor;
    } else if (!fresh_ && lane < block_.count) {
      for (std::int64_t c = 0; c < p_.Dv; ++c) rows_.out[lane * p_.Dv + c] *= factor;
    }
  }

  /// All that was added is in the rows, or in the output.
  void finish() {
    if (few_columns()) {
      for (int i = 0; i < block_.count; ++i) {
        for (std::int64_t c = 0; c < p_.Dv; ++c) rows_.out[i * p_.Dv + c] = s_.lane_out[c * kWidth + i];
      }
    } else if (fresh_) {
      std::fill_n(rows_.out, block_.count * p_.Dv, T{0});
    }
  }
  bool written() const { return written_; }  ///< to the output, divided

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;

  /// So few value features that pooling goes with queries along the lanes.
  bool few_columns() const { return p_.Dv <= kFewColumns; }

  /// While the last keys of a block are pooled, the lines of the output that are about to be written come, and then the queries
  /// of the next block.
  void fetch_next() {
    coming_.clear();
    coming_.add(row_of<T>(f_.out, block_.b, block_.h, block_.i), f_.out.row, block_.count, p_.Dv);
    coming_.add(row_of<T>(p_.queries, next_.b, next_.h, next_.i), p_.queries.row, next_.count, p_.D);
  }

  void pool_all(const Rows<T>& values, const WeighedKeys<T>& keys) {
    if (few_columns()) {
      pool_lanes<T>(s_.weights + keys.first * kWidth, values.at(keys.first), values.row, p_.Dv,
                    keys.last - keys.first, vectors_, s_.lane_out);
      return;
    }
    if (keys.none_after) fetch_next();
    const PoolTask<T> task = pool_task(values, keys);
    if (keys.masked || keys.none_after) {
      pool<T>(block_.count, p_.Dv, task, [&](PoolTask<T>& tile, int first, int rows) {
        if (keys.masked) only_keys(tile, keys_of(keys, first, rows));
        if (keys.none_after) coming_.fetch_with(tile);
      });
    } else {
      pool<T>(block_.count, p_.Dv, task);
    }
  }

  /// Values that some row attends to and some row does not.
  bool masked_values_finite(const Rows<T>& values, const WeighedKeys<T>& keys) const {
    const KeyRange shared = keys.extra ? KeyRange{0, 0} : shared_keys(ranges_, vectors_);
    const auto clipped = [&](std::int64_t key) {
      return static_cast<int>(clamp(key - keys.begin, keys.first, keys.last));
    };
    const int first = clipped(shared.first), last = std::max(clipped(shared.last), first);
    const auto finite = [&](int from, int to) {
      return all_rows_finite(Rows<T>{values.at(from), values.row, 1}, to - from, p_.Dv);
    };
    return finite(keys.first, first) && finite(last, keys.last);
  }

  PoolTask<T> pool_task(const Rows<T>& values, const WeighedKeys<T>& keys) const {
    PoolTask<T> task = pool_onto<T>(rows_.out, p_.Dv, s_.weights, kWidth, 1, values, 0);
    only_keys(task, {keys.first, keys.last});
    if (fresh_) task.from = nullptr;
    if (written_) {
      task.out = row_of<T>(f_.out, block_.b, block_.h, block_.i);
      task.out_stride = f_.out.row;
      task.scale = rows_in_hand_.inverse_sums(rows_);
    }
    return task;
  }

  /// The keys of the block that some of `rows` rows attends to.
  KeyRange keys_of(const WeighedKeys<T>& keys, int first, int rows) const {
    KeyRange some{keys.last, keys.first};
    for (int lane = first; lane < first + rows; ++lane) {
      some.first = std::min(some.first, std::max<std::int64_t>(ranges_.first[lane] - keys.begin, keys.first));
      some.last = std::max(some.last, std::min<std::int64_t>(ranges_.last[lane] - keys.begin, keys.last));
    }
    return some;
  }

  static void only_keys(PoolTask<T>& task, const KeyRange& keys) {
    task.first = keys.first;
    task.count = std::max<std::int64_t>(keys.last - keys.first, 0);
  }

  /// Elements of values that are not finite, for the rows that attend to them.
  void pool_by_pair(const WeighedKeys<T>& keys) {
    const Rows<T> values = rows_of<T>(p_.values, block_.b, hkv_, keys.begin);
    for (int j = keys.first; j < keys.last; ++j) {
      for (std::int64_t c = 0; c < p_.Dv; ++c) {
        const T x = values.at(j)[c * values.column];
        if (x - x == 0) continue;
        for (int lane = 0; lane < block_.count; ++lane) {
          const bool takes_part = keys.begin + j >= ranges_.first[lane] &&
                                  keys.begin + j < ranges_.last[lane] &&
                                  !(keys.extra && keys.extra[j * kWidth + lane] == kMinusInf<T>);
          T& out = few_columns() ? s_.lane_out[c * kWidth + lane] : rows_.out[lane * p_.Dv + c];
          if (takes_part) out += s_.weights[j * kWidth + lane] * x;
        }
      }
    }
  }

  const AttendForward& f_;
  const AttendProblem& p_;
  QueryBlock block_, next_;
  const KeyRanges<T>& ranges_;
  const RowsInHand<T>& rows_in_hand_;
  const ForwardScratch<T>& s_;
  int vectors_;
  std::int64_t hkv_;
  RunningRows<T> rows_{};
  ComingRows<T> coming_;
  bool all_ = false;
  bool fresh_ = true;  ///< nothing has been added yet: rows hold anything
  bool written_ = false;
};

}  // namespace heed::kernels::cpu::HEED_TIER
