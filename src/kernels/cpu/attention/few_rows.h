// The kernel for few query rows: one pass over keys and values, cut into chunks of keys.
#pragma once

#include "kernels/cpu/attention/tier.h"

namespace heed::kernels::cpu {

/// None if a problem goes by this kernel.
const char* why_not_few_rows(const AttendProblem&) noexcept;

/// Whether the backward has such a kernel too: not for Gaussian scores with a bias, boolean mask, softcap or dropout.
bool few_rows_backward(const AttendProblem&) noexcept;

void attend_few_rows(const AttendForward&, const AttentionTier&);

}  // namespace heed::kernels::cpu
