// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regress/fit.h"

#include "regress/maps.h"
#include "support/live_chart.h"

#include <heed/ops.h>

#include <cmath>
#include <limits>

namespace heed::command {
namespace {

struct Chosen {
  std::string by;
  Tensor bandwidth;
  std::vector<double> losses = {};
};

/// By gradient descent, watched: on a terminal its loss is drawn while it falls.
Chosen learn(const Sample& sample, LearningOptions options, Show show) {
  LiveChart live(show);
  std::vector<double> errors;
  options.watch = [&](const BandwidthProgress& p) {
    errors.push_back(p.error);
    if (live.is_due()) live.show(loss_chart(errors));
  };
  LearnedBandwidth learned = learned_bandwidth(sample.x, sample.y, options);
  if (!errors.empty()) live.show(loss_chart(errors));
  return {"gradient descent", learned.bandwidth, std::move(learned.losses)};
}

Chosen choose(const Sample& sample, const FitFlags& flags, Show show) {
  if (!flags.bandwidth.empty()) {
    return {"given", from_vector(flags.bandwidth, {static_cast<std::int64_t>(flags.bandwidth.size())})};
  }
  if (flags.learn) return learn(sample, flags.learning, show);
  Progress progress("choosing the bandwidth", "looks", show, Total::kAtMost);
  const BandwidthWatch watch = [&](const BandwidthProgress& p) {
    progress.report(static_cast<double>(p.done), static_cast<double>(p.at_most));
  };
  return {"cross-validation", cross_validated_bandwidth(sample.x, sample.y, watch)};
}

/// (m,): whether a place lies beyond all points in a feature that counts.
Tensor beyond(const Tensor& places, const KernelRegression& model) {
  const Tensor counts = model.bandwidth() < std::numeric_limits<double>::infinity();
  const Tensor out = logical_or(places<min(model.x(), 0), places> max(model.x(), 0));
  return (sum(logical_and(out, counts).to(f64), 1) > 0).to(f64);
}

}  // namespace

Fit fit(const Sample& sample, const FitFlags& flags, Show show) {
  Chosen chosen = choose(sample, flags, show);
  const KernelRegression model(sample.x, sample.y, chosen.bandwidth);
  const Tensor left_out = model.leave_one_out();
  return {.chosen_by = chosen.by,
          .model = model,
          .residuals = sample.y - left_out,
          .in_sample = goodness_of_fit(sample.y, model.predict(sample.x)),
          .left_out = goodness_of_fit(sample.y, left_out),
          .losses = std::move(chosen.losses),
          .warnings = chosen.by == "given" ? std::vector<std::string>{} : model.warnings(sample.x_names)};
}

Predictions predict(const Fit& fit, const Tensor& places) {
  const KernelRegression& model = fit.model;
  const std::int64_t M = model.y().size(1);
  // The scatter of residuals of 1 is the root of the sum of squared weights, from the same look at all pairs.
  const Tensor ones = heed::ones({model.y().size(0), 1}, f64);
  const KernelRegression with_ones(model.x(), cat({model.y(), ones}, 1), model.bandwidth());
  const Tensor scatter = with_ones.standard_error(places, cat({fit.residuals, ones}, 1));
  const Tensor root = scatter.select(1, M);
  return {.places = places,
          .values = model.predict(places),
          .standard_errors = scatter.slice(1, {.stop = M}).contiguous(),
          .neighbours = 1 / (root * root),
          .outside = beyond(places, model)};
}

}  // namespace heed::command
