// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Four words attend to each other. Without positions, a sentence is a bag of words.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct SelfAttentionResult {
  std::vector<std::string> words;
  Tensor weights;  ///< (4, 4), word by word
  /// Whether the output for the reversed sentence is not the output, reversed; without positions and with them.
  bool order_seen = false, order_seen_encoded = false;
};

SelfAttentionResult run_self_attention(std::uint64_t seed);
void print(std::ostream& out, const SelfAttentionResult& result);
void show(Page& page, const SelfAttentionResult& result);

}  // namespace heed::tour
