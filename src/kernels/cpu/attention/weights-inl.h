// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Weights on demand: those of a query block, written row by row.
#pragma once

#include "kernels/cpu/attention/overflow_watch.h"
#include "kernels/cpu/attention/recompute-inl.h"
#include "kernels/cpu/attention/recover.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T, class Score>
class WeightsBlock {
 public:
  WeightsBlock(const AttendWeights& f, const QueryBlock& block, Score& score,
               const RecomputeScratch<T>& scratch)
      : p_(f.problem), block_(block), recompute_(f.problem, f.log_sum_exp, score, scratch) {}

  /// out (count, Lk), contiguous.
  void run(T* out) {
    const OverflowWatch watch;
    std::fill_n(out, block_.count * p_.Lk, T{0});
    recompute_.begin(block_);
    recompute_.round_references();
    const KeyRange keys = recompute_.keys(0, p_.Lk);
    if (keys.first >= keys.last) return;
    recompute_.prepare();
    for (std::int64_t begin = keys.first / kBlock * kBlock; begin < keys.last; begin += kBlock) {
      const std::int64_t end = begin + kBlock < p_.Lk ? begin + kBlock : p_.Lk;
      const WeighedBlock<T> w = recompute_.weigh(begin, end);
      if (!w.none) unpack<T>(w.weights, block_.count, end - begin, {out + begin, p_.Lk});
    }
    const bool overflowed =
        watch.overflowed() && scores_may_overflow<T>(p_, {block_.b, block_.h, block_.i}, block_.count);
    for (int i = 0; i < block_.count; ++i) {
      const RowState state = normalise(out + i * p_.Lk);
      if (overflowed || state == RowState::kBroken)
        recover_weights<T>(p_, {block_.b, block_.h, block_.i + i}, state, out + i * p_.Lk);
    }
  }

 private:
  static constexpr int kN = kLanes<T>, kBlock = Layout<T>::kBlock;

  /// What the log-sum-exp's rounding left: weights of a row sum to 1, and halves are halves.
  RowState normalise(T* row) const {
    // With what each addition lost: a million weights may all be alike.
    Vec<T> lanes = set(T{0}), lost = set(T{0});
    const auto add = [&](Vec<T> x) {
      const Vec<T> missing = x - lost, more = lanes + missing;
      lost = (more - lanes) - missing;
      lanes = more;
    };
    std::int64_t j = 0;
    for (; j + kN <= p_.Lk; j += kN) add(load(row + j));
    if (j < p_.Lk) add(load_first(row + j, static_cast<int>(p_.Lk - j)));
    const T sum = xsimd::hadd(lanes);
    if (!(sum > 0 && sum <= std::numeric_limits<T>::max()))
      return RowState::kBroken;  // no pair at all, or NaN where it belongs, or scores beyond the range
    for (j = 0; j < p_.Lk; ++j) row[j] /= sum;
    return RowState::kNormal;
  }

  const AttendProblem& p_;
  QueryBlock block_;
  Recompute<T, Score> recompute_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
