// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What PyTorch's nn.MultiheadAttention calls its parameters, under the names of MultiHeadAttention.
#pragma once

#include <heed/nn/module.h>

namespace heed::nn {

/// `given` with the entries of PyTorch's attention renamed and split, wherever `wanted` has a MultiHeadAttention. What
/// does not have the shape for it stays as it is.
Module::State with_own_names(Module::State given, const Module::State& wanted);

}  // namespace heed::nn
