// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// AVX-512 F, DQ, BW, VL. Compiled with those flags, run only where the CPU has them.
#if defined(__AVX512F__)
#define HEED_TIER tier_avx512
#include "kernels/cpu/attention/tier-inl.h"

namespace heed::kernels::cpu {
namespace {

bool supported() noexcept {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

}  // namespace

extern const AttentionTier kTier_avx512;
const AttentionTier kTier_avx512 = tier_avx512::tier("avx512", supported);

}  // namespace heed::kernels::cpu
#endif
