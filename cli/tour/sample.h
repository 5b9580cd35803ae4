// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Two queries, three keys and three values of two numbers each: products alone, then with softmax.
#pragma once

#include "page.h"

namespace heed::tour {

struct Pooled {
  Tensor weights;  ///< (2, 3)
  Tensor output;   ///< (2, 2)
};

struct Sample {
  Tensor scores;         ///< Q Kᵀ, (2, 3)
  Tensor product;        ///< Q Kᵀ V without any softmax, (2, 2)
  Pooled dot;            ///< softmax(Q Kᵀ) V
  Pooled scaled;         ///< softmax(Q Kᵀ / √2) V
  Pooled scaled_by_far;  ///< softmax(Q Kᵀ / 1000) V
};

Sample run_sample();
void print(std::ostream& out, const Sample& sample);
void show(Page& page, const Sample& sample);

}  // namespace heed::tour
