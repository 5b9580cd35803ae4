// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Predictions of each point from all the others, by two calls of attend() over strict triangles: linear memory, nothing
// subtracted and so nothing cancelled, and a gradient.
#pragma once

#include "regression/data.h"

#include <heed/score.h>

namespace heed::regression {

/// Means (n, M) under the weights of a row, and log of the sum of what became the weights (n,).
struct Rows {
  Tensor values;
  Tensor log_sum_exp;
};

/// On the tape where the score is. With one point, that row is empty.
Rows left_out(const Data& data, const Gaussian& score);

}  // namespace heed::regression
