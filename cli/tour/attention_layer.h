// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A sequence through attention(query, key, value), and through a layer with its four linear maps.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct AttentionLayerResult {
  Tensor weights;               ///< of attention(x, x, x), (4, 4)
  bool is_formula = false;      ///< attention(x, x, x) is its formula in plain operations, but for rounding
  std::string tree;             ///< the layer, printed
  Shape input, output;          ///< of the layer
  std::int64_t parameters = 0;  ///< numbers the layer learns
};

AttentionLayerResult run_attention_layer(std::uint64_t seed);
void print(std::ostream& out, const AttentionLayerResult& result);
void show(Page& page, const AttentionLayerResult& result);

}  // namespace heed::tour
