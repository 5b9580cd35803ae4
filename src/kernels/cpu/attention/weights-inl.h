// Weights on demand: those of a query block, written row by row.
#pragma once

#include "kernels/cpu/attention/recompute-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T, class Score>
class WeightsBlock {
 public:
  WeightsBlock(const AttendWeights& f, const QueryBlock& block, Score& score,
               const RecomputeScratch<T>& scratch)
      : p_(f.problem),
        block_(block),
        recompute_(f.problem, f.log_sum_exp, References::kExact, score, scratch) {}

  /// out (count, Lk), contiguous.
  void run(T* out) {
    std::fill_n(out, block_.count * p_.Lk, T{0});
    recompute_.begin(block_);
    const KeyRange keys = recompute_.keys(0, p_.Lk);
    if (keys.first >= keys.last) return;
    recompute_.prepare();
    for (std::int64_t begin = keys.first / kBlock * kBlock; begin < keys.last; begin += kBlock) {
      const std::int64_t end = begin + kBlock < p_.Lk ? begin + kBlock : p_.Lk;
      const WeighedBlock<T> w = recompute_.weigh(begin, end);
      if (!w.none) unpack<T>(w.weights, block_.count, end - begin, {out + begin, p_.Lk});
    }
  }

 private:
  static constexpr int kBlock = Layout<T>::kBlock;

  const AttendProblem& p_;
  QueryBlock block_;
  Recompute<T, Score> recompute_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
