// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scaled dot-product attention to ten keys around a circle.
#pragma once

#include "page.h"

namespace heed::tour {

struct DotProductPooling {
  Tensor output;   ///< (2,)
  Tensor weights;  ///< (2, 10)
};

DotProductPooling run_dot_product();
void print(std::ostream& out, const DotProductPooling& pooling);
void show(Page& page, const DotProductPooling& pooling);

}  // namespace heed::tour
