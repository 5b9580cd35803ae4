// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Four words attend to each other. Without positions, a sentence is a bag of words.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct SelfAttentionResult {
  std::vector<std::string> words;
  Tensor weights;       ///< (4, 4), word by word
  double reversed = 0;  ///< output of the reversed sentence against the reversed output: largest difference
  bool reversed_identical = false;  ///< the same, bit for bit
  double reversed_encoded = 0;      ///< the same with a positional encoding added first
};

SelfAttentionResult run_self_attention(std::uint64_t seed);
void show(Page& page, const SelfAttentionResult& result);

}  // namespace heed::tour
