// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The kernel for few query rows: one pass over keys and values, cut into chunks of keys.
#pragma once

#include "kernels/cpu/attention/tier.h"

namespace heed::kernels::cpu {

/// Keys that are scored at a time.
inline constexpr std::int64_t kFewRowsRun = 128;

/// Keys that are summed before sums are merged: 512 at least, an eighth of several thousand, so that one cache keeps many threads
/// busy. Longer chunks are a few per cent faster.
std::int64_t few_rows_chunk(const AttendProblem&) noexcept;
std::int64_t few_rows_chunks(const AttendProblem&) noexcept;

/// None if a problem goes by this kernel, forward and backward.
const char* why_not_few_rows(const AttendProblem&) noexcept;

void attend_few_rows(const AttendForward&, const AttentionTier&);

}  // namespace heed::kernels::cpu
