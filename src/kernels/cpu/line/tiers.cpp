// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/cpu/line/tiers.h"

#include <heed/runtime.h>

namespace heed::kernels::cpu {

#if defined(__x86_64__) && !defined(HEED_NO_AVX)
extern const LineKernels kLine_avx512, kLine_avx2;
#endif
extern const LineKernels kLine_baseline;

const LineKernels& line_kernels() {
#if defined(__x86_64__) && !defined(HEED_NO_AVX)
  const std::string tier = simd_tier();
  for (const LineKernels* kernels : {&kLine_avx512, &kLine_avx2})
    if (tier == kernels->tier) return *kernels;
#endif
  return kLine_baseline;
}

}  // namespace heed::kernels::cpu
