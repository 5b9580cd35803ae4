// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Additive attention, for queries and keys of different widths.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct AdditivePooling {
  Tensor output;   ///< (2, 1, 4)
  Tensor weights;  ///< (2, 1, 10)
};

AdditivePooling run_additive(std::uint64_t seed);
void print(std::ostream& out, const AdditivePooling& pooling);
void show(Page& page, const AdditivePooling& pooling);

}  // namespace heed::tour
