// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Dropout on the weights: random while training, gone in evaluation, right on average.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct DropoutResult {
  Tensor first, second;                ///< two outputs while training, (4,)
  Tensor average;                      ///< of many outputs while training
  Tensor evaluated;                    ///< the output in evaluation
  std::int64_t runs = 0;               ///< how many the average is of
  double average_off = 0;              ///< largest |average - evaluated|
  bool evaluations_identical = false;  ///< evaluated twice, the same bits
  bool reseeded_identical = false;     ///< trained twice from one seed, the same bits
};

DropoutResult run_dropout(std::uint64_t seed);
void show(Page& page, const DropoutResult& result);

}  // namespace heed::tour
