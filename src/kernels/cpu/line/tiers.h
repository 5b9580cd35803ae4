// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The loops over sorted points, in the tier that runs.
#pragma once

#include "kernels/line.h"

namespace heed::kernels::cpu {

/// Those of the tier that simd_tier() names.
const LineKernels& line_kernels();

}  // namespace heed::kernels::cpu
