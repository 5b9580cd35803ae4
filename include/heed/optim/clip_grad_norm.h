// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Keeps gradients from exploding.
#pragma once

#include <heed/export.h>
#include <heed/tensor.h>

#include <span>

namespace heed::optim {

/// Scales all gradients by min(1, max_norm / (norm + 1e-6)), norm being their joint Euclidean norm, and returns the
/// norm before that. Parameters without a gradient count as 0.
HEED_API double clip_grad_norm(std::span<const Tensor> parameters, double max_norm);

}  // namespace heed::optim
