// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// AVX2 with FMA. Compiled with those flags, run only where the CPU has them.
#if defined(__AVX2__)
#define HEED_TIER tier_avx2
#include "kernels/cpu/line/kernels-inl.h"

namespace heed::kernels::cpu {

extern const LineKernels kLine_avx2;
const LineKernels kLine_avx2 = tier_avx2::line::kernels("avx2");

}  // namespace heed::kernels::cpu
#endif
