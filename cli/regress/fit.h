// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A regression that has been fitted, and everything there is to say about it.
#pragma once

#include "regress/sample.h"
#include "support/progress.h"

#include <heed/ops.h>
#include <heed/regression.h>

#include <string>
#include <vector>

namespace heed::command {

struct FitFlags {
  std::vector<double> bandwidth = {};  ///< given: one, or one for each x; empty to choose it
  bool learn = false;                  ///< choose by gradient descent rather than by cross-validation
  LearningOptions learning = {};
};

struct Fit {
  std::string chosen_by;  ///< "given", "cross-validation" or "gradient descent"
  KernelRegression model;
  Tensor residuals;                        ///< (n, M), each point left out
  GoodnessOfFit in_sample, left_out;       ///< left_out is NaN with just one point
  std::vector<double> losses = {};         ///< of gradient descent
  std::vector<std::string> warnings = {};  ///< about the choice, if it was not given
};

Fit fit(const Sample& sample, const FitFlags& flags, Show show);

/// Of the normal distribution: 95 % lie so many standard errors around the mean.
inline constexpr double kStandardErrors = 1.96;
/// With fewer neighbours than these, a prediction repeats single points more than it averages.
inline constexpr double kFewNeighbours = 3;

/// Predictions at places (m, D): (m, M) each, and what holds them up.
struct Predictions {
  Tensor places, values, standard_errors;
  Tensor neighbours;  ///< (m,): so many points of equal weight are worth as much, 1 / sum of squared weights
  Tensor outside;  ///< (m,) of 0 and 1: beyond all points in an x that counts, that is, of finite bandwidth

  Tensor lower() const { return values - kStandardErrors * standard_errors; }
  Tensor upper() const { return values + kStandardErrors * standard_errors; }
};
Predictions predict(const Fit& fit, const Tensor& places);

}  // namespace heed::command
