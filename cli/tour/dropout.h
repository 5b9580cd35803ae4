// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Dropout on the weights: random while training, gone in evaluation, right on average.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct DropoutResult {
  Tensor first, second;  ///< two outputs while training, (4,)
  Tensor average;        ///< of 4000 outputs while training
  Tensor evaluated;      ///< the output in evaluation
};

DropoutResult run_dropout(std::uint64_t seed);
void print(std::ostream& out, const DropoutResult& result);
void show(Page& page, const DropoutResult& result);

}  // namespace heed::tour
