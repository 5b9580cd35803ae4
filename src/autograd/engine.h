// Walks the tape backwards.
#pragma once

#include <heed/tensor.h>

namespace heed::detail {

void run_backward(const Tensor& root, const Tensor& seed, bool retain_graph);

/// Name of the operation whose gradient the calling thread is computing, for error texts.
const char* running_op() noexcept;

}  // namespace heed::detail
