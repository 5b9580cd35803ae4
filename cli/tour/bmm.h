// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The batch matrix product, and pooling as one: weights times values.
#pragma once

#include "page.h"

namespace heed::tour {

struct Bmm {
  Shape left, right, product;
  Tensor weights;  ///< even ones, and ones that grow, (2, 10)
  Tensor values;   ///< 0 to 9, and 10 to 19, (2, 10)
  Tensor pooled;   ///< (2,)
};

Bmm run_bmm();
void print(std::ostream& out, const Bmm& result);
void show(Page& page, const Bmm& result);

}  // namespace heed::tour
