// Few query rows against many keys, as when text is generated: all rows that read one key-value head, in one pass over
// its keys and values. Features lie along the lanes for scores and for pooling, keys for the softmax; with so few rows
// the memory sets the pace, and lanes of queries would be mostly empty.
#pragma once

#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/pool-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
class Decode {
 public:
  Decode(const AttendForward& f, const HeadRows& rows, Arena& arena)
      : f_(f),
        p_(f.problem),
        rows_(rows),
        group_(p_.H / p_.Hkv),
        count_(static_cast<int>(group_ * p_.Lq)),
        queries_(arena.take<T>(kFewRows * features())),
        scores_(arena.take<T>(kFewRows * kKeys)),
        keys_(p_.keys.column == 1 ? nullptr : arena.take<T>(kKeys * p_.D)),
        values_(p_.values.column == 1 ? nullptr : arena.take<T>(kKeys * p_.Dv)) {}

  /// Keys [begin, end) into `part`.
  void chunk(std::int64_t begin, std::int64_t end, const ForwardPart& part) {
    part_ = {static_cast<T*>(part.out), static_cast<T*>(part.reference), static_cast<T*>(part.sum)};
    std::fill_n(part_.out, count_ * p_.Dv, T{0});
    std::int64_t from = end, to = begin;
    for (int r = 0; r < count_; ++r) {
      part_.reference[r] = kMinusInf;
      part_.sum[r] = 0;
      range_[r] = key_range(p_, rows_.b, r % p_.Lq);
      from = std::min(from, range_[r].first);
      to = std::max(to, range_[r].last);
    }
    load_queries();
    for (std::int64_t key = std::max(begin, from); key < std::min(end, to); key += kKeys) {
      block(key, static_cast<int>(std::min({key + kKeys, end, to}) - key));
    }
  }

  /// Chunks in order, then the output and the log-sum-exp.
  void merge(const ForwardPart* parts, std::int64_t count) {
    for (int r = 0; r < count_; ++r) {
      T* total = static_cast<T*>(parts[0].out) + r * p_.Dv;
      T reference = static_cast<T*>(parts[0].reference)[r], sum = static_cast<T*>(parts[0].sum)[r];
      for (std::int64_t n = 1; n < count; ++n) {
        const T other = static_cast<T*>(parts[n].reference)[r];
        if (other == kMinusInf) continue;
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
  static constexpr int kN = kLanes<T>, kKeys = 128;
  static constexpr T kMinusInf = -std::numeric_limits<T>::infinity();

  std::int64_t features() const { return (p_.D + kN - 1) / kN * kN; }
  std::int64_t head(int r) const { return rows_.hkv * group_ + r / p_.Lq; }

  /// 2^(from - to), exactly 1 if they are equal.
  static T factor(T from, T to) {
    if (from == to) return 1;
    T lanes[kN];
    store(lanes, exp2(set(from - to)));
    return lanes[0];
  }

  /// Rows of whole vectors, scaled so that a score is an exponent of 2.
  void load_queries() {
    const T scale = static_cast<T>(p_.scale * 1.4426950408889634);
    for (int r = 0; r < count_; ++r) {
      const T* row = row_of<T>(p_.queries, rows_.b, head(r), r % p_.Lq);
      for (std::int64_t d = 0; d < features(); ++d) {
        queries_[r * features() + d] = d < p_.D ? row[d * p_.queries.column] * scale : T{0};
      }
    }
  }

  void block(std::int64_t begin, int keys) {
    const Rows<T> k = unit_columns(rows_of<T>(p_.keys, rows_.b, rows_.hkv, begin), keys, p_.D, keys_);
    const Rows<T> v = unit_columns(rows_of<T>(p_.values, rows_.b, rows_.hkv, begin), keys, p_.Dv, values_);
    int j = 0;
    for (; j + 4 <= keys; j += 4) score_rows<4>(k, v, j);
    for (; j < keys; ++j) score_rows<1>(k, v, j);
    bool same = true;
    for (int r = 0; r < count_; ++r) {
      weigh(r, begin, keys);
      same = same && range_[r].first <= begin && range_[r].last >= begin + keys;
    }
    if (same) {
      pool_fetching(v, begin, keys);
      return;
    }
    // A value outside a row's range may be anything, and must not meet even a weight of 0.
    for (int r = 0; r < count_; ++r) {
      const std::int64_t from = std::max<std::int64_t>(range_[r].first - begin, 0);
      const std::int64_t to = std::min<std::int64_t>(range_[r].last - begin, keys);
      if (from < to) pool_rows(v, r, 1, from, to);
    }
  }

  /// Memory sets the pace and must never wait: while keys are scored this block's values come from it, and while those
  /// are pooled the next block's keys.
  static void fetch(const T* row, std::int64_t columns) {
    for (std::int64_t c = 0; c < columns; c += 64 / static_cast<int>(sizeof(T))) {
      __builtin_prefetch(row + c, 0, 2);
    }
  }

  void pool_fetching(const Rows<T>& v, std::int64_t begin, int keys) {
    constexpr int kStep = 8;
    const Rows<T> next = rows_of<T>(p_.keys, rows_.b, rows_.hkv, begin + keys);
    for (int j = 0; j < keys; j += kStep) {
      for (int n = j; n < j + kStep; ++n) fetch(next.at(n), p_.D);
      pool_rows(v, 0, count_, j, std::min(j + kStep, keys));
    }
  }

  /// Scores of kCount keys from j on with every row.
  template <int kCount>
  void score_rows(const Rows<T>& k, const Rows<T>& v, int j) {
    for (int n = 0; n < kCount; ++n) fetch(v.at(j + n), p_.Dv);
    int r = 0;
    for (; r + 4 <= count_; r += 4) score_tile<kCount, 4>(k, j, r);
    for (; r < count_; ++r) score_tile<kCount, 1>(k, j, r);
  }

  template <int kCount, int kRows>
  HEED_INLINE void score_tile(const Rows<T>& k, int j, int r) {
    Vec<T> sum[kCount][kRows];
    HEED_UNROLL
    for (int n = 0; n < kCount; ++n) {
      HEED_UNROLL
      for (int m = 0; m < kRows; ++m) sum[n][m] = set(T{0});
    }
    const T* q = queries_ + r * features();
    const auto step = [&](std::int64_t d, const auto& key) HEED_INLINE_LAMBDA {
      Vec<T> x[kRows];
      HEED_UNROLL
      for (int m = 0; m < kRows; ++m) x[m] = load(q + m * features() + d);
      HEED_UNROLL
      for (int n = 0; n < kCount; ++n) {
        const Vec<T> y = key(k.at(j + n) + d);
        HEED_UNROLL
        for (int m = 0; m < kRows; ++m) sum[n][m] = fma(y, x[m], sum[n][m]);
      }
    };
    std::int64_t d = 0;
    for (; d + kN <= p_.D; d += kN) step(d, [](const T* p) HEED_INLINE_LAMBDA { return load(p); });
    const int left = static_cast<int>(p_.D - d);
    if (left > 0) step(d, [left](const T* p) HEED_INLINE_LAMBDA { return load_first(p, left); });
    HEED_UNROLL
    for (int m = 0; m < kRows; ++m) {
      HEED_UNROLL
      for (int n = 0; n < kCount; ++n) scores_[(r + m) * kKeys + j + n] = xsimd::hadd(sum[n][m]);
    }
  }

  /// Scores of a row become weights relative to its reference, which grows with the largest score met.
  void weigh(int r, std::int64_t begin, int keys) {
    T* row = scores_ + r * kKeys;
    for (int j = 0; j < keys; ++j) {
      if (begin + j < range_[r].first || begin + j >= range_[r].last) row[j] = kMinusInf;
    }
    std::fill(row + keys, row + (keys + kN - 1) / kN * kN, kMinusInf);
    Vec<T> most = set(kMinusInf);
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
      if (before == kMinusInf) part_.reference[r] = 0;
    }
    if (nan || reference == kMinusInf) {
      std::fill_n(row, keys, T{0});
      return;
    }
    if (reference != before) {
      const T correction = before == kMinusInf ? T{0} : factor(before, reference);
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
      return pool_onto<T>(part_.out + r * p_.Dv, p_.Dv, scores_ + r * kKeys + from, 1, kKeys,
                          {v.at(from), v.row, 1}, to - from);
    });
  }

  /// to = a to + b from
  void add_scaled(const T* from, T b, T a, T* to) const {
    for (std::int64_t c = 0; c < p_.Dv; ++c) to[c] = to[c] * a + from[c] * b;
  }

  void write(int r, const T* total, T reference, T sum) const {
    const std::int64_t i = r % p_.Lq;
    const bool empty = reference == kMinusInf && sum == 0;
    T lanes[kN];
    store(lanes, xsimd::log2(set(sum)));
    T* lse = static_cast<T*>(f_.log_sum_exp) + (rows_.b * p_.H + head(r)) * p_.Lq + i;
    *lse = empty ? kMinusInf : (reference + lanes[0]) * static_cast<T>(0.6931471805599453);
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
  T *queries_, *scores_, *keys_, *values_;
  Part part_{};
  KeyRange range_[kFewRows] = {};
};

}  // namespace heed::kernels::cpu::HEED_TIER
