// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Nadaraya-Watson regression of y = 2 sin x + x^0.8 + noise: plain average, fixed width, learned width.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct Regression {
  Tensor x_train, y_train;  ///< (50,), x sorted
  Tensor x_test, truth;     ///< (50,), 0 to 5 in steps of 0.1, without noise

  /// A prediction on x_test, its mean squared error against truth and the mean entropy of its weights' rows.
  struct Fit {
    Tensor prediction;
    Tensor weights;  ///< (test, train), both sorted by x
    double error = 0;
    double entropy = 0;
  };
  Fit average, fixed, untrained, trained;

  std::vector<double> losses;  ///< before each epoch, and after the last
  std::vector<double> w;       ///< beside them
};

Regression run_regression(std::uint64_t seed);
void print(std::ostream& out, const Regression& regression);
void show(Page& page, const Regression& regression);

}  // namespace heed::tour
