// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One query among three (key, value) pairs: what does someone with a waist of 57 weigh?
#pragma once

#include "page.h"

namespace heed::tour {

struct Waist {
  Tensor keys, values;  ///< waists and weights, (3,)
  Tensor weights;       ///< attention of the query 57, (3,)
  double prediction = 0;
  Tensor others, curve;  ///< more waists, and what their weights would be, (n,)
};

Waist run_waist();
void print(std::ostream& out, const Waist& waist);
void show(Page& page, const Waist& waist);

}  // namespace heed::tour
