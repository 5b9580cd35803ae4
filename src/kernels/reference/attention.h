// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The meaning of attention: plain loops, everything in f64 with compensated sums whatever the dtype. Fast kernels
// are checked against these and share no code with them.
#pragma once

#include "kernels/attention.h"

namespace heed::kernels::reference {

void attend_forward(const AttendForward&);
void attend_backward(const AttendBackward&);
void attend_weights(const AttendWeights&);
void attended(const Attended&) noexcept;

}  // namespace heed::kernels::reference
