// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Forward of one query block, chunk of keys by chunk of keys.
//
// Every chunk starts from nothing and the chunks are merged in order, so that it does not matter who computed them.
#pragma once

#include "kernels/cpu/attention/forward_chunk-inl.h"
#include "kernels/cpu/attention/overflow_watch.h"
#include "kernels/cpu/attention/recover.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T, class Score>
class ForwardBlock {
 public:
  ForwardBlock(const AttendForward& f, Score& score, const QueryBlock& block,
               const ForwardScratch<T>& scratch)
      : f_(f),
        p_(f.problem),
        block_(block),
        s_(scratch),
        rows_in_hand_(f, block, scratch.correction, scratch.largest),
        chunk_(f, score, block, rows_in_hand_, scratch) {}

  void run() {
    const OverflowWatch watch;
    const RunningRows<T> total{s_.total_out, s_.total_reference, s_.total_sum};
    add_chunks(total, nullptr);
    rows_in_hand_.write_log_sum_exp(total);
    if (!chunk_.written()) rows_in_hand_.write_rows(total);
    std::uint64_t broken = rows_in_hand_.broken(total);
    const bool overflowed = watch.overflowed();
    if (overflowed && !rows_in_hand_.output_finite()) broken |= mend(total);
    if (broken != 0 || overflowed) recover(broken, overflowed);
  }

  void run_chunk(std::int64_t n, const RunningRows<T>& part) {
    const KeyRange keys = chunk_.keys();
    const OverflowWatch watch;
    rows_in_hand_.start(part);
    if (keys.first >= (n + 1) * kChunk || keys.last <= n * kChunk) {
      std::fill_n(part.out, block_.count * p_.Dv, T{0});
      return;
    }
    chunk_.pack_queries();
    chunk_.run(n, part, false);
    if (!watch.overflowed() || !scores_may_overflow<T>(p_, row(0), block_.count)) return;
    // Whoever puts the chunks together sees it by this.
    for (int i = 0; i < block_.count; ++i) {
      if (row_overflows<T>(p_, row(i))) part.sum[i] = std::numeric_limits<T>::quiet_NaN();
    }
  }

  /// part(n): the n-th chunk's rows, n < count.
  template <class Part>
  void run_merge(std::int64_t count, const Part& part) {
    const RunningRows<T> total = part(0);
    for (std::int64_t n = 1; n < count; ++n) rows_in_hand_.merge(total, part(n));
    rows_in_hand_.write_log_sum_exp(total);
    rows_in_hand_.write_rows(total);
    std::uint64_t broken = rows_in_hand_.broken(total);
    if (!rows_in_hand_.output_finite()) broken |= mend(total);
    if (broken != 0) recover(broken, false);
  }

 private:
  static constexpr int kN = kLanes<T>;
  static constexpr std::int64_t kChunk = Layout<T>::kChunk;

  /// reference: (kQueries), what exponents are relative to from the beginning; none: what the first keys give.
  void add_chunks(const RunningRows<T>& total, const T* reference) {
    const KeyRange keys = chunk_.keys();
    rows_in_hand_.start(total, reference);
    if (keys.first >= keys.last) {
      std::fill_n(total.out, block_.count * p_.Dv, T{0});
      return;
    }
    chunk_.pack_queries();
    const std::int64_t first = keys.first / kChunk, last = (keys.last - 1) / kChunk;
    chunk_.run(first, total, first == last && !reference);
    for (std::int64_t n = first + 1; n <= last; ++n) {
      const RunningRows<T> part{s_.chunk_out, s_.reference, s_.sum};
      rows_in_hand_.start(part, reference);
      chunk_.run(n, part, false);
      rows_in_hand_.merge(total, part);
    }
  }

  /// Weights are relative to a reference, and may add up to so much that huge values overflow on the way, though what comes out
  /// is no larger than they are. What is not finite is then computed again, with weights that add up to a half. Returns a bit for
  /// each row that this did not help because its reference is too large to take one more.
  std::uint64_t mend(const RunningRows<T>& total) {
    for (int v = 0; v * kN < block_.count; ++v) {
      const Vec<T> whole = load(total.reference + v * kN) + xsimd::log2(load(total.sum + v * kN));
      store(s_.known_reference + v * kN, whole + set(T{1}));
    }
    add_chunks(total, s_.known_reference);
    rows_in_hand_.write_missing(total);
    std::uint64_t left = 0;
    for (int i = 0; i < block_.count; ++i) {
      const T reference = s_.known_reference[i];
      left |= std::uint64_t{reference - 1 == reference && !rows_in_hand_.row_finite(i)} << i;
    }
    return left;
  }

  RowPlace row(int i) const { return {block_.b, block_.h, block_.i + i}; }

  /// broken: a bit for each row. overflowed: something did, perhaps a score.
  void recover(std::uint64_t broken, bool overflowed) const {
    const bool all = overflowed && scores_may_overflow<T>(p_, row(0), block_.count);
    for (int i = 0; i < block_.count; ++i) {
      const RowState state = broken >> i & 1 ? RowState::kBroken : RowState::kNormal;
      if (all || state == RowState::kBroken) recover_row<T>(f_, row(i), state);
    }
  }

  const AttendForward& f_;
  const AttendProblem& p_;
  QueryBlock block_;
  const ForwardScratch<T>& s_;
  RowsInHand<T> rows_in_hand_;
  ForwardChunk<T, Score> chunk_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
