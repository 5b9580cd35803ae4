// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The batch matrix product, and pooling as one: weights times values.
#pragma once

#include "page.h"

namespace heed::tour {

struct Bmm {
  Shape left, right, product;
  Tensor values;  ///< 0..9 and 10..19, (2, 10)
  Tensor pooled;  ///< weights of 0.1 times 0..9 and 10..19, (2, 1, 1)
};

Bmm run_bmm();
void show(Page& page, const Bmm& result);

}  // namespace heed::tour
