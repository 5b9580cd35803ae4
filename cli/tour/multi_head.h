// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Multi-head attention, 100 wide in 5 heads, over sequences of 3 and 2 valid positions.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct MultiHead {
  std::string tree;             ///< the module, printed
  std::int64_t parameters = 0;  ///< numbers it can learn
  Shape input, output;
  Tensor weights;  ///< (2, 5, 4, 4)
};

MultiHead run_multi_head(std::uint64_t seed);
void print(std::ostream& out, const MultiHead& result);
void show(Page& page, const MultiHead& result);

}  // namespace heed::tour
