// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The fused CPU engine: cuts a problem into tasks and gives them to threads. Where sums are cut depends on the kind of problem
// and its shape alone, so the bits of a result do not depend on the number of threads.
#pragma once

#include "kernels/attention.h"

namespace heed::kernels::cpu {

/// Tasks are query blocks, or chunks of keys where there are too few of those to go round.
void attend_forward(const AttendForward&);

/// What attend_forward and attend_backward would do. Few rows go by a kernel whose bits are its own; beside the kind of call
/// that depends on the number of queries and on how many heads share a key-value head alone.
AttendPlan attend_plan(const AttendProblem&);

/// Tasks are chunks of keys by spans of queries; each has memory of its own for what others add to as well, and whoever
/// finishes the last one adds the partial sums, in order.
void attend_backward(const AttendBackward&);

/// Tasks are runs of rows that follow one another.
void attend_weights(const AttendWeights&);

void attended(const Attended&) noexcept;

}  // namespace heed::kernels::cpu
