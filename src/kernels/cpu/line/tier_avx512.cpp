// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// AVX-512. Compiled with its flags, run only where the CPU has it.
#if defined(__AVX512DQ__)
#define HEED_TIER tier_avx512
#include "kernels/cpu/line/kernels-inl.h"

namespace heed::kernels::cpu {

extern const LineKernels kLine_avx512;
const LineKernels kLine_avx512 = tier_avx512::line::kernels("avx512");

}  // namespace heed::kernels::cpu
#endif
