// The kernel for few query rows: one pass over keys and values, cut into chunks of keys.
#pragma once

#include "kernels/cpu/attention/tier.h"

#include <algorithm>

namespace heed::kernels::cpu {

/// Keys that are scored at a time.
inline constexpr std::int64_t kFewRowsRun = 128;

/// Keys that are summed before sums are merged: 512 at least, an eighth of several thousand, so that one cache keeps many threads
/// busy. Longer chunks are a few per cent faster.
inline std::int64_t few_rows_chunk(const AttendProblem& p) noexcept {
  constexpr std::int64_t kPieces = 8, kLeast = 4 * kFewRowsRun, kMost = 18 * kFewRowsRun;
  const std::int64_t runs = (p.Lk + kPieces * kFewRowsRun - 1) / (kPieces * kFewRowsRun);
  return std::clamp(runs * kFewRowsRun, kLeast, kMost);
}
inline std::int64_t few_rows_chunks(const AttendProblem& p) noexcept {
  return std::max<std::int64_t>(1, (p.Lk + few_rows_chunk(p) - 1) / few_rows_chunk(p));
}

/// None if a problem goes by this kernel, forward and backward.
const char* why_not_few_rows(const AttendProblem&) noexcept;

void attend_few_rows(const AttendForward&, const AttentionTier&);

}  // namespace heed::kernels::cpu
