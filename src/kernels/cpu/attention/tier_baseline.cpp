// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The tier every CPU of the architecture has: SSE2 on x86-64, NEON on AArch64.
#define HEED_TIER tier_baseline
#include "kernels/cpu/attention/tier-inl.h"

namespace heed::kernels::cpu {
namespace {

bool supported() noexcept { return true; }

}  // namespace

extern const AttentionTier kTier_baseline;
const AttentionTier kTier_baseline = tier_baseline::tier("baseline", supported);

}  // namespace heed::kernels::cpu
