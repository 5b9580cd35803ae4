// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// AVX2 with FMA. Compiled with those flags, run only where the CPU has them.
#if defined(__AVX2__)
#define HEED_TIER tier_avx2
#include "kernels/cpu/attention/tier-inl.h"

namespace heed::kernels::cpu {
namespace {

bool supported() noexcept { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

}  // namespace

extern const AttentionTier kTier_avx2;
const AttentionTier kTier_avx2 = tier_avx2::tier("avx2", supported);

}  // namespace heed::kernels::cpu
#endif
