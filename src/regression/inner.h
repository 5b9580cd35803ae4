// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A regression as its sums see it.
#pragma once

#include "regression/pooling.h"
#include "regression/units.h"

#include <heed/regression.h>

namespace heed {

struct KernelRegression::Inner {
  regression::Units x_units, y_units;
  regression::Sample sample;  ///< in these units, and so is
  Tensor bandwidth;
};

}  // namespace heed
