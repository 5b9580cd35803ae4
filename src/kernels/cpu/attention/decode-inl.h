// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Few query rows, as when text is generated or a point is predicted: all rows that read one key-value head, in one pass
// over its keys and values. Lanes of queries would be mostly empty, so keys lie along them for the softmax, and features
// or keys for scores and for pooling.
//
// Keys go in runs. While a run is scored, the values of the run before are pooled, a few keys by turns: memory is slow to
// start on a tensor it was not reading.
#pragma once

#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/exp2-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/key_run-inl.h"
#include "kernels/cpu/attention/pool_run-inl.h"
#include "kernels/cpu/attention/recover.h"
#include "kernels/cpu/attention/row_scores-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T, class RowScores>
class Decode {
 public:
  Decode(const AttendForward& f, const HeadRows& rows, Arena& arena)
      : f_(f),
        p_(f.problem),
        rows_(p_, rows),
        count_(rows_.count()),
        row_scores_(p_, arena),
        ahead_(rows_ahead<T>(p_.Dv)),
        pooled_(arena.take<T>(kFewRows * p_.Dv)),
        keys_(p_.keys.column == 1 ? nullptr : arena.take<T>(kRunKeys * p_.D)),
        values_(p_.values.column == 1 ? nullptr : arena.take<T>(kRunKeys * p_.Dv)),
        packed_values_(arena.take<T>(kFewColumns * kWidth)),
        factors_(p_.dropout.threshold > 0 ? arena.take<T>(kRunKeys) : nullptr),
        now_(arena),
        before_(arena) {}

  /// Keys [begin, end) into `part`. reference: (rows), what exponents are relative to from the beginning; none: the largest.
  void chunk(std::int64_t begin, std::int64_t end, const ForwardPart& part, const T* reference = nullptr) {
    part_ = {static_cast<T*>(part.out), static_cast<T*>(part.reference), static_cast<T*>(part.sum)};
    std::fill_n(part_.out, count_ * p_.Dv, T{0});
    rows_.find_ranges();
    for (int r = 0; r < count_; ++r) {
      part_.reference[r] = reference ? reference[r] : kMinusInf<T>;
      part_.sum[r] = 0;
      row_scores_.load_query(r, rows_.row(p_.queries, r), p_.queries.column);
    }
    before_.keys = 0;
    rows_.each_run(begin, end, [&](std::int64_t key, int keys) {
      if (!rows_.look(key, keys, now_)) return;
      run();
      std::swap(now_, before_);
    });
    now_.begin = end;
    now_.keys = 0;
    run();
  }

  /// Chunks in order, then the output and the log-sum-exp.
  void merge(const ForwardPart* parts, std::int64_t count) {
    int missing = 0, broken = 0;
    T whole[kFewRows];  // sums of weights, in exponents of 2
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
      whole[r] = reference + logarithm(sum);
      broken |= !(sum > 0 && whole[r] - whole[r] == 0) << r;
      write_log_sum_exp(r, whole[r]);
      write(r, total, sum, [&](T& to, T result) {
        to = result;
        missing |= result - result != 0;
      });
    }
    if (missing) broken |= mend(parts[0], whole);
    for (int r = 0; broken != 0 && r < count_; ++r) {
      if (broken >> r & 1) recover_row<T>(f_, row(r), RowState::kBroken);
    }
  }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;

  /// 2^(from - to), exactly 1 if they are equal.
  static T factor(T from, T to) {
    if (from == to) return 1;
    T lanes[kN];
    store(lanes, exp2(set(from - to)));
    return lanes[0];
  }

  RowPlace row(int r) const { return {rows_.batch(), rows_.head(r), rows_.query(r)}; }

  /// Sums of huge values may overflow, though what comes out is no larger than they are. What is not finite is then computed
  /// again, with weights that add up to a half. Returns a bit for each row that this did not help because its reference is too
  /// large to take one more.
  int mend(const ForwardPart& part, T (&whole)[kFewRows]) {
    for (int r = 0; r < count_; ++r) whole[r] += 1;
    chunk(0, p_.Lk, part, whole);
    int left = 0;
    for (int r = 0; r < count_; ++r) {
      write(r, part_.out + r * p_.Dv, part_.sum[r], [](T& to, T result) {
        if (to - to != 0 && result - result == 0) to = result;
      });
      left |= (whole[r] - 1 == whole[r] && !all_finite(rows_.row(f_.out, r), p_.Dv)) << r;
    }
    return left;
  }

  /// Scores and weighs the keys of this run, none perhaps, and pools the run before.
  void run() {
    const int keys = now_.keys;
    const std::int64_t b = rows_.batch(), hkv = rows_.key_value_head();
    const Rows<T> k = unit_columns(rows_of<T>(p_.keys, b, hkv, now_.begin), keys, p_.D, keys_);
    const Rows<T> v =
        unit_columns(rows_of<T>(p_.values, b, hkv, before_.begin), before_.keys, p_.Dv, values_);
    const bool few_columns = p_.Dv <= kFewColumns;
    if (few_columns) {
      pool_few_columns(v);
    } else {
      std::fill_n(pooled_, count_ * p_.Dv, T{0});
      // One row has no neighbours that could share its values: the keys it attends to are soon found.
      finite_values_ = count_ > 1 && !before_.whole && all_rows_finite(v, before_.keys, p_.Dv);
    }
    constexpr int kStep = RowScores::kStep;
    for (int j = 0; j < std::max(keys, before_.keys); j += kStep) {
      if (j < keys) row_scores_.score(k, j, std::min(kStep, keys - j), count_, now_.scores);
      if (!few_columns) pool_step(v, j, std::min(j + kStep, before_.keys));
    }
    if (!few_columns) {
      for (std::int64_t n = 0; n < count_ * p_.Dv; ++n) part_.out[n] += pooled_[n];
    }
    for (int r = 0; r < count_; ++r) weigh(r);
  }

  /// Keys [from, to) of the run before. A value that a row does not attend to may be anything, and must not meet even a weight
  /// of 0 unless it is finite: then the bits are the same.
  void pool_step(const Rows<T>& v, int from, int to) {
    ask_for_values(v, from, to);
    if (before_.whole || finite_values_) return pool_everybody(v, from, to);
    each_stretch(before_, from, to, [&](int first, int last, int rows) {
      for (int r = 0; r < count_; ++r) {
        if (rows >> r & 1) pool_rows<1>(v, r, first, last);
      }
    });
  }
  void pool_everybody(const Rows<T>& v, int from, int to) {
    int r = 0;
    for (; r + 4 <= count_; r += 4) pool_rows<4>(v, r, from, to);
    for (; r + 2 <= count_; r += 2) pool_rows<2>(v, r, from, to);
    for (; r < count_; ++r) pool_rows<1>(v, r, from, to);
  }

  /// Rows r.. and keys [from, to) of the run before.
  template <int kRows>
  void pool_rows(const Rows<T>& v, int r, int from, int to) {
    pool_run<T, kRows>(before_.scores + r * kRunKeys, v, from, to, p_.Dv, pooled_ + r * p_.Dv);
  }

  /// All lines of values further on, in the order in which they lie.
  void ask_for_values(const Rows<T>& v, int from, int to) const {
    for (int j = from; j < to; ++j) {
      const T* row = v.at(j + ahead_);
      for (std::int64_t c = 0; c < p_.Dv; c += kN) __builtin_prefetch(row + c, 0, 2);
    }
  }

  /// Keys along the lanes.
  void pool_few_columns(const Rows<T>& v) {
    for (int j = 0; j < before_.keys; j += kWidth) {
      const int count = std::min(before_.keys - j, kWidth);
      pack<T>({v.at(j), v.row, v.column}, count, p_.Dv, T{1}, packed_values_);
      for (int r = 0; r < count_; ++r) {
        for (std::int64_t c = 0; c < p_.Dv; ++c) {
          Vec<T> sum = set(T{0});
          for (int lane = 0; lane < count; lane += kN) {
            const auto active = before_.plain ? lanes_in<T>(0, count - lane) : before_.active(r, j + lane);
            const Vec<T> product =
                load(before_.scores + r * kRunKeys + j + lane) * load(packed_values_ + c * kWidth + lane);
            sum = sum + xsimd::select(active, product, set(T{0}));
          }
          part_.out[r * p_.Dv + c] += xsimd::hadd(sum);
        }
      }
    }
  }

  /// Scores of a row become weights relative to its reference, which grows with the largest score met.
  void weigh(int r) {
    T* row = now_.scores + r * kRunKeys;
    const int keys = now_.keys;
    rows_.finish(r, now_, nullptr);
    Vec<T> most = set(kMinusInf<T>);
    auto numbers = Mask<T>(true);
    for (int j = 0; j < keys; j += kN) {
      const Vec<T> x = load(row + j);
      most = xsimd::max(most, x);
      numbers = numbers & (x == x);
    }
    const bool nan = !xsimd::all(numbers);
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
    if (factors_) drop(r);
  }

  void drop(int r) {
    row_dropout<T>(p_.dropout, {rows_.batch(), rows_.head(r), rows_.query(r), now_.begin}, now_.keys,
                   factors_);
    T* row = now_.scores + r * kRunKeys;
    for (int j = 0; j < now_.keys; ++j) row[j] *= factors_[j];
  }

  /// to = a to + b from
  void add_scaled(const T* from, T b, T a, T* to) const {
    for (std::int64_t c = 0; c < p_.Dv; ++c) to[c] = to[c] * a + from[c] * b;
  }

  static T logarithm(T x) {
    T lanes[kN];
    store(lanes, xsimd::log2(set(x)));
    return lanes[0];
  }

  void write_log_sum_exp(int r, T whole) const {
    static_cast<T*>(f_.log_sum_exp)[rows_.place(r)] = whole * static_cast<T>(0.6931471805599453);
  }

  /// body(element of the output, what the row gives for it)
  template <class Body>
  void write(int r, const T* total, T sum, const Body& body) const {
    T* out = rows_.row(f_.out, r);
    for (std::int64_t c = 0; c < p_.Dv; ++c) body(out[c], sum == 0 ? T{0} : total[c] / sum);
  }

  struct Part {
    T *out, *reference, *sum;
  };
  const AttendForward& f_;
  const AttendProblem& p_;
  FewRows<T> rows_;
  int count_;
  RowScores row_scores_;
  std::int64_t ahead_;  ///< values are fetched so many rows before they are pooled
  T* pooled_;           ///< (kFewRows, Dv): sums of the run before
  T *keys_, *values_, *packed_values_;
  T* factors_;  ///< (kRunKeys): dropout's; none: no dropout
  KeyRun<T> now_, before_;
  bool finite_values_ = false;  ///< those of the run before, where some row does not attend to all of them
  Part part_{};
};

}  // namespace heed::kernels::cpu::HEED_TIER
