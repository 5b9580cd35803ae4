// A regression that has been fitted, and everything there is to say about it.
#pragma once

#include "regress/sample.h"
#include "support/progress.h"

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
  Tensor residuals;                        ///< (n, M), left-one-out
  GoodnessOfFit in_sample, left_out;       ///< left_out is NaN with just one point
  std::vector<double> losses = {};         ///< of gradient descent
  std::vector<std::string> warnings = {};  ///< about the choice, if it was not given
};

Fit fit(const Sample& sample, const FitFlags& flags, Show show);

/// Predictions at places (m, D): (m, M) each.
struct Predictions {
  Tensor places, values, standard_errors;
};
Predictions predict(const Fit& fit, const Tensor& places);

}  // namespace heed::command
