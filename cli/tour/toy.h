// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The notes' toy for attention scores: keys that are all alike, values 0..39, lengths 2 and 6.
#pragma once

#include "page.h"

namespace heed::tour {

struct Pooling {
  Tensor output;   ///< (2, 1, 4)
  Tensor weights;  ///< (2, 1, 10)
};

inline Tensor toy_keys() { return ones({2, 10, 2}); }
inline Tensor toy_values() { return arange(40).reshape({1, 10, 4}).expand({2, 10, 4}); }
inline Mask toy_lengths() { return valid_lens({2, 6}); }

/// Output and weights, the latter also as a heatmap.
void show_pooling(Page& page, const Pooling& pooling);

}  // namespace heed::tour
