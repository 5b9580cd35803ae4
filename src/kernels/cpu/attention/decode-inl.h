// Few query rows, as when text is generated or a point is predicted: all rows that read one key-value head, in one pass
// over its keys and values. Lanes of queries would be mostly empty, so keys lie along them for the softmax, and features
// or keys for scores and for pooling.
#pragma once

#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/row_scores-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T, class RowScores>
class Decode {
 public:
  Decode(const AttendForward& f, const HeadRows& rows, Arena& arena)
      : f_(f),
        p_(f.problem),
        rows_(rows),
        group_(p_.H / p_.Hkv),
        count_(static_cast<int>(group_ * p_.Lq)),
        row_scores_(p_, arena),
        scores_(arena.take<T>(kFewRows * kRunKeys)),
        keys_(p_.keys.column == 1 ? nullptr : arena.take<T>(kRunKeys * p_.D)),
        values_(p_.values.column == 1 ? nullptr : arena.take<T>(kRunKeys * p_.Dv)),
        packed_values_(arena.take<T>(kFewColumns * kWidth)) {}

  /// Keys [begin, end) into `part`.
  void chunk(std::int64_t begin, std::int64_t end, const ForwardPart& part) {
    part_ = {static_cast<T*>(part.out), static_cast<T*>(part.reference), static_cast<T*>(part.sum)};
    std::fill_n(part_.out, count_ * p_.Dv, T{0});
    std::int64_t from = end, to = begin;
    for (int r = 0; r < count_; ++r) {
      part_.reference[r] = kMinusInf<T>;
      part_.sum[r] = 0;
      range_[r] = key_range(p_, rows_.b, r % p_.Lq);
      row_scores_.load_query(r, row_of<T>(p_.queries, rows_.b, head(r), r % p_.Lq), p_.queries.column);
      from = std::min(from, range_[r].first);
      to = std::max(to, range_[r].last);
    }
    // Runs begin where they do for every row, whatever the others attend to.
    const std::int64_t skipped = std::max<std::int64_t>(from - begin, 0) / kRunKeys * kRunKeys;
    for (std::int64_t key = begin + skipped; key < std::min(end, to); key += kRunKeys) {
      run(key, static_cast<int>(std::min({key + kRunKeys, end, to}) - key));
    }
  }

  /// Chunks in order, then the output and the log-sum-exp.
  void merge(const ForwardPart* parts, std::int64_t count) {
    for (int r = 0; r < count_; ++r) {
      T* total = static_cast<T*>(parts[0].out) + r * p_.Dv;
      T reference = static_cast<T*>(parts[0].reference)[r], sum = static_cast<T*>(parts[0].sum)[r];
      for (std::int64_t n = 1; n < count; ++n) {
        const T other = static_cast<T*>(parts[n].reference)[r];
        if (other == kMinusInf<T>) continue;
        const T most = other > reference ? other : reference;
        const T a = factor(reference, most), b = factor(other, most);
        add_scaled(static_cast<T*>(parts[n].out) + r * p_.Dv, b, a, total);
        sum = sum * a + static_cast<T*>(parts[n].sum)[r] * b;
        reference = most;
      }
      write(r, total, reference, sum);
    }
  }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  static constexpr int kPooledKeys = 8;  ///< at a time

  std::int64_t head(int r) const { return rows_.hkv * group_ + r / p_.Lq; }

  /// 2^(from - to), exactly 1 if they are equal.
  static T factor(T from, T to) {
    if (from == to) return 1;
    T lanes[kN];
    store(lanes, exp2(set(from - to)));
    return lanes[0];
  }

  void run(std::int64_t begin, int keys) {
    const Rows<T> k = unit_columns(rows_of<T>(p_.keys, rows_.b, rows_.hkv, begin), keys, p_.D, keys_);
    const Rows<T> v = unit_columns(rows_of<T>(p_.values, rows_.b, rows_.hkv, begin), keys, p_.Dv, values_);
    row_scores_.score(k, v, keys, count_, scores_);
    bool same = true;
    for (int r = 0; r < count_; ++r) {
      weigh(r, begin, keys);
      same = same && range_[r].first <= begin && range_[r].last >= begin + keys;
    }
    if (p_.Dv <= kFewColumns) {
      pool_few_columns(v, begin, keys);
      return;
    }
    if (same) {
      pool_fetching(v, begin, keys);
      return;
    }
    // A value outside a row's range may be anything, and must not meet even a weight of 0.
    for (int r = 0; r < count_; ++r) {
      const KeyRange in = relative(r, begin, keys);
      for (std::int64_t j = in.first / kPooledKeys * kPooledKeys; j < in.last; j += kPooledKeys) {
        pool_rows(v, r, 1, std::max(j, in.first), std::min(j + kPooledKeys, in.last));
      }
    }
  }

  /// The row's range in a run of keys.
  KeyRange relative(int r, std::int64_t begin, int keys) const {
    return {std::max<std::int64_t>(range_[r].first - begin, 0),
            std::min<std::int64_t>(range_[r].last - begin, keys)};
  }

  void pool_fetching(const Rows<T>& v, std::int64_t begin, int keys) {
    const Rows<T> next = rows_of<T>(p_.keys, rows_.b, rows_.hkv, begin + keys);
    for (int j = 0; j < keys; j += kPooledKeys) {
      for (int n = j; n < j + kPooledKeys; ++n) fetch_row(next.at(n), p_.D);
      pool_rows(v, 0, count_, j, std::min(j + kPooledKeys, keys));
    }
  }

  /// Keys along the lanes.
  void pool_few_columns(const Rows<T>& v, std::int64_t begin, int keys) {
    for (int j = 0; j < keys; j += kWidth) {
      const int count = keys - j < kWidth ? keys - j : kWidth;
      pack<T>({v.at(j), v.row, v.column}, count, p_.Dv, T{1}, packed_values_);
      for (int r = 0; r < count_; ++r) {
        const KeyRange in = relative(r, begin + j, count);
        for (std::int64_t c = 0; c < p_.Dv; ++c) {
          Vec<T> sum = set(T{0});
          for (int lane = 0; lane < count; lane += kN) {
            const auto active = lanes_in<T>(in.first - lane, in.last - lane);
            const Vec<T> product =
                load(scores_ + r * kRunKeys + j + lane) * load(packed_values_ + c * kWidth + lane);
            sum = sum + xsimd::select(active, product, set(T{0}));
          }
          part_.out[r * p_.Dv + c] += xsimd::hadd(sum);
        }
      }
    }
  }

  /// Scores of a row become weights relative to its reference, which grows with the largest score met.
  void weigh(int r, std::int64_t begin, int keys) {
    T* row = scores_ + r * kRunKeys;
    for (int j = 0; j < keys; ++j) {
      if (begin + j < range_[r].first || begin + j >= range_[r].last) row[j] = kMinusInf<T>;
    }
    std::fill(row + keys, row + (keys + kN - 1) / kN * kN, kMinusInf<T>);
    Vec<T> most = set(kMinusInf<T>);
    bool nan = false;
    for (int j = 0; j < keys; j += kN) {
      const Vec<T> x = load(row + j);
      most = xsimd::max(most, x);
      nan = nan || !xsimd::all(x == x);
    }
    const T before = part_.reference[r], largest = nan ? before : largest_lane<T>(most);
    const T reference = largest > before ? largest : before;
    if (nan) {
      part_.sum[r] = std::numeric_limits<T>::quiet_NaN();
      if (before == kMinusInf<T>) part_.reference[r] = 0;
    }
    if (nan || reference == kMinusInf<T>) {
      std::fill_n(row, keys, T{0});
      return;
    }
    if (reference != before) {
      const T correction = before == kMinusInf<T> ? T{0} : factor(before, reference);
      part_.sum[r] *= correction;
      for (std::int64_t c = 0; c < p_.Dv; ++c) part_.out[r * p_.Dv + c] *= correction;
      part_.reference[r] = reference;
    }
    Vec<T> sum = set(T{0});
    for (int j = 0; j < keys; j += kN) {
      const Vec<T> e = exp2(load(row + j) - set(reference));
      sum = sum + e;
      store(row + j, e);
    }
    part_.sum[r] += xsimd::hadd(sum);
  }

  void pool_rows(const Rows<T>& v, int first_row, int rows, std::int64_t from, std::int64_t to) {
    pool<T>(rows, p_.Dv, [&](int first, int) {
      const int r = first_row + first;
      return pool_onto<T>(part_.out + r * p_.Dv, p_.Dv, scores_ + r * kRunKeys + from, 1, kRunKeys,
                          {v.at(from), v.row, 1}, to - from);
    });
  }

  /// to = a to + b from
  void add_scaled(const T* from, T b, T a, T* to) const {
    for (std::int64_t c = 0; c < p_.Dv; ++c) to[c] = to[c] * a + from[c] * b;
  }

  void write(int r, const T* total, T reference, T sum) const {
    const std::int64_t i = r % p_.Lq;
    const bool empty = reference == kMinusInf<T> && sum == 0;
    T lanes[kN];
    store(lanes, xsimd::log2(set(sum)));
    T* lse = static_cast<T*>(f_.log_sum_exp) + (rows_.b * p_.H + head(r)) * p_.Lq + i;
    *lse = empty ? kMinusInf<T> : (reference + lanes[0]) * static_cast<T>(0.6931471805599453);
    T* out = row_of<T>(f_.out, rows_.b, head(r), i);
    for (std::int64_t c = 0; c < p_.Dv; ++c) out[c] = empty ? T{0} : total[c] / sum;
  }

  struct Part {
    T *out, *reference, *sum;
  };
  const AttendForward& f_;
  const AttendProblem& p_;
  HeadRows rows_;
  std::int64_t group_;
  int count_;  ///< rows: heads of the group times queries
  RowScores row_scores_;
  T *scores_, *keys_, *values_, *packed_values_;
  Part part_{};
  KeyRange range_[kFewRows] = {};
};

}  // namespace heed::kernels::cpu::HEED_TIER
