// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The least that every CPU of this architecture has.
#define HEED_TIER tier_baseline
#include "kernels/cpu/line/kernels-inl.h"

namespace heed::kernels::cpu {

extern const LineKernels kLine_baseline;
const LineKernels kLine_baseline = tier_baseline::line::kernels("baseline");

}  // namespace heed::kernels::cpu
