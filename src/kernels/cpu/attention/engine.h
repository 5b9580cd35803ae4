// The fused CPU engine: cuts a problem into tasks and gives them to threads. How it is cut depends on the shape alone, so
// the bits of a result do not depend on the number of threads.
#pragma once

#include "kernels/attention.h"

namespace heed::kernels::cpu {

/// Tasks are query blocks.
void attend_forward(const AttendForward&);

/// Tasks are chunks of keys: each writes its own keys' and values' gradients and a partial sum of the queries', and the
/// partial sums are added in order.
void attend_backward(const AttendBackward&);

/// Whether attend_backward keeps every promise here: not for output gradients with NaN or inf in them, which must reach
/// what their row attends to and nothing else.
bool can_attend_backward(const AttendBackward&) noexcept;

}  // namespace heed::kernels::cpu
