// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Few query rows and a run of keys: which pairs take part, and what becomes of their scores before the softmax.
#pragma once

#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/extra-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"

#include <algorithm>
#include <cstdint>

namespace heed::kernels::cpu::HEED_TIER {

/// Keys that few rows are scored with at a time; scores of a row are so far from those of the next.
inline constexpr int kRunKeys = 128;

template <class T>
struct KeyRun {
  std::int64_t begin = 0;
  int keys = 0;
  bool whole = true;             ///< every row attends to every key
  bool plain = true;             ///< whole, and nothing is added to scores: `extra` and `rows` are not set
  T* scores = nullptr;           ///< (kFewRows, kRunKeys)
  T* extra = nullptr;            ///< likewise: bias in exponents of 2, -inf for a pair that takes no part
  std::uint8_t* rows = nullptr;  ///< (kRunKeys): who attends to a key, a bit for each row

  KeyRun() = default;
  explicit KeyRun(Arena& arena)
      : scores(arena.take<T>(kFewRows * kRunKeys)),
        extra(arena.take<T>(kFewRows * kRunKeys)),
        rows(arena.take<std::uint8_t>(kRunKeys)) {}

  /// Which lanes from key j on take part, for row r. Not for a plain run.
  HEED_INLINE Mask<T> active(int r, int j) const {
    return !(load(extra + r * kRunKeys + j) == set(kMinusInf<T>));
  }
};

/// body(first, last, rows) for stretches of keys in [from, to) that the same rows attend to.
template <class T, class Body>
void each_stretch(const KeyRun<T>& run, int from, int to, const Body& body) {
  while (from < to) {
    int last = from + 1;
    while (last < to && run.rows[last] == run.rows[from]) ++last;
    body(from, last, static_cast<int>(run.rows[from]));
    from = last;
  }
}

/// All query rows that read one key-value head, head by head.
template <class T>
class FewRows {
 public:
  FewRows(const AttendProblem& p, const HeadRows& rows)
      : p_(p),
        rows_(rows),
        group_(p.Hkv > 0 ? p.H / p.Hkv : 0),
        count_(static_cast<int>(group_ * p.Lq)),
        softcap_(static_cast<T>(p.softcap * 1.4426950408889634)) {}

  /// Before anything below that is about keys.
  void find_ranges() {
    for (int r = 0; r < count_; ++r) range_[r] = key_range(p_, rows_.b, query(r));
  }

  int count() const { return count_; }
  int everybody() const { return (1 << count_) - 1; }
  std::int64_t batch() const { return rows_.b; }
  std::int64_t key_value_head() const { return rows_.hkv; }
  std::int64_t head(int r) const { return rows_.hkv * group_ + r / p_.Lq; }
  std::int64_t query(int r) const { return r % p_.Lq; }
  /// Of (B, H, Lq).
  std::int64_t place(int r) const { return (rows_.b * p_.H + head(r)) * p_.Lq + query(r); }
  T* row(const HeadedMatrix& m, int r) const { return row_of<T>(m, rows_.b, head(r), query(r)); }

  const KeyRange& range(int r) const { return range_[r]; }
  /// A row that turned out to attend to nothing.
  void leave_out(int r) { range_[r] = {0, 0}; }

  /// body(begin, keys) for runs of [begin, end) that may have a pair in them. Runs begin where they do for every row, whatever
  /// the others attend to.
  template <class Body>
  void each_run(std::int64_t begin, std::int64_t end, const Body& body) const {
    std::int64_t from = end, to = begin;
    for (int r = 0; r < count_; ++r) {
      if (range_[r].first >= range_[r].last) continue;
      from = std::min(from, range_[r].first);
      to = std::max(to, range_[r].last);
    }
    const std::int64_t skipped = std::max<std::int64_t>(from - begin, 0) / kRunKeys * kRunKeys;
    for (std::int64_t key = begin + skipped; key < std::min(end, to); key += kRunKeys) {
      body(key, static_cast<int>(std::min(key + kRunKeys, std::min(end, to)) - key));
    }
  }

  /// Finds out who takes part in a run; false: nobody.
  bool look(std::int64_t begin, int keys, KeyRun<T>& run) const {
    run.begin = begin;
    run.keys = keys;
    run.whole = true;
    for (int r = 0; r < count_; ++r) {
      run.whole = run.whole && range_[r].first <= begin && range_[r].last >= begin + keys;
    }
    run.plain = run.whole && !p_.bias.data && !p_.mask.allowed.data;
    if (run.plain) return true;
    std::fill_n(run.rows, kRunKeys, std::uint8_t{0});
    for (int r = 0; r < count_; ++r) {
      T* extra = run.extra + r * kRunKeys;
      fill_extra(r, begin, keys, extra);
      for (int j = 0; j < keys; ++j) {
        run.rows[j] = static_cast<std::uint8_t>(run.rows[j] | (extra[j] != kMinusInf<T> ? 1 << r : 0));
      }
    }
    int in_all = everybody(), in_any = 0;
    for (int j = 0; j < keys; ++j) {
      in_all &= run.rows[j];
      in_any |= run.rows[j];
    }
    run.whole = in_all == everybody();
    return in_any != 0;
  }

  /// Scores of row r, which are exponents of 2 already, through softcap, bias and mask; -inf beyond the last of them up to a
  /// whole vector. slope: receives the softcap's derivative, or none.
  void finish(int r, const KeyRun<T>& run, T* slope) const {
    T* row = run.scores + r * kRunKeys;
    for (int j = 0; (softcap_ > 0 || !run.plain) && j < run.keys; j += kN) {
      Vec<T> x = load(row + j);
      if (softcap_ > 0) x = capped(x, softcap_, slope ? slope + j : nullptr);
      if (!run.plain) {
        x = xsimd::select(run.active(r, j), x + load(run.extra + r * kRunKeys + j), set(kMinusInf<T>));
      }
      store(row + j, x);
    }
    std::fill(row + run.keys, row + whole_vectors(run.keys), kMinusInf<T>);
  }

 private:
  static constexpr int kN = kLanes<T>;
  static int whole_vectors(int keys) { return (keys + kN - 1) / kN * kN; }

  void fill_extra(int r, std::int64_t begin, int keys, T* extra) const {
    if (p_.bias.data) {
      const T* bias = row(p_.bias, r) + begin * p_.bias.column;
      for (int j = 0; j < keys; ++j) extra[j] = bias[j * p_.bias.column];
      std::fill(extra + keys, extra + whole_vectors(keys), T{0});
      for (int j = 0; j < keys; j += kN) store(extra + j, exponent_of<T>(load(extra + j)));
    } else {
      std::fill_n(extra, keys, T{0});
    }
    if (p_.mask.allowed.data) {
      const auto* allowed = row_of<const unsigned char>(p_.mask.allowed, rows_.b, head(r), query(r));
      allowed += begin * p_.mask.allowed.column;
      for (int j = 0; j < keys; ++j) {
        if (allowed[j * p_.mask.allowed.column] == 0) extra[j] = kMinusInf<T>;
      }
    }
    const std::int64_t first = clamp(range_[r].first - begin, 0, keys),
                       last = clamp(range_[r].last - begin, first, keys);
    std::fill_n(extra, first, kMinusInf<T>);
    std::fill(extra + last, extra + whole_vectors(keys), kMinusInf<T>);
  }

  const AttendProblem& p_;
  HeadRows rows_;
  std::int64_t group_;
  int count_;
  T softcap_;
  KeyRange range_[kFewRows] = {};
};

}  // namespace heed::kernels::cpu::HEED_TIER
