// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Walks the tape backwards.
#pragma once

#include <heed/tensor.h>

#include <span>

namespace heed::detail {

void run_backward(std::span<const Tensor> roots, std::span<const Tensor> seeds, bool retain_graph);

/// Name of the operation whose gradient the calling thread is computing, for error texts.
const char* running_op() noexcept;

}  // namespace heed::detail
