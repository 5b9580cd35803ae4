// The kernel for few query rows: one pass over keys and values, cut into chunks of keys.
#pragma once

#include "kernels/cpu/attention/tier.h"

#include <algorithm>

namespace heed::kernels::cpu {

/// Keys that are summed before sums are merged. A cache of a few thousand keys is cut into eight, so that it keeps many threads
/// busy; longer chunks are a few per cent faster.
inline std::int64_t few_rows_chunk(const AttendProblem& p) noexcept {
  constexpr std::int64_t kRun = 128, kPieces = 8, kLeast = 4 * kRun, kMost = 18 * kRun;
  return std::clamp((p.Lk + kPieces * kRun - 1) / (kPieces * kRun) * kRun, kLeast, kMost);
}

/// None if a problem goes by this kernel.
const char* why_not_few_rows(const AttendProblem&) noexcept;

/// Whether the backward has such a kernel too: not for Gaussian scores with a bias, boolean mask, softcap or dropout.
bool few_rows_backward(const AttendProblem&) noexcept;

void attend_few_rows(const AttendForward&, const AttentionTier&);

}  // namespace heed::kernels::cpu
