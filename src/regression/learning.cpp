// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The bandwidth learned by gradient descent on w = 1/h, as the notes do it.
#include "core/check.h"
#include "regression/leave_one_out.h"
#include "regression/units.h"

#include <heed/autograd.h>
#include <heed/ops.h>
#include <heed/regression.h>

#include <cmath>
#include <limits>

namespace heed {
namespace {

using regression::Column;
using regression::Data;

constexpr std::string_view kLearningName = "learned_bandwidth";

/// By how much to divide each column: its standard deviation, or 1 where it has none.
Tensor scales(const Tensor& x) {
  std::vector<double> scale;
  for (const Column& column : regression::columns_of(x))
    scale.push_back(column.constant() ? 1 : column.stddev);
  return from_vector(scale, {x.size(1)});
}

/// A place on the way down.
struct Step {
  Tensor w, gradient;
  double loss = 0;
};

Step look(const Data& data, const Tensor& w) {
  const Tensor leaf = w.clone().requires_grad_();
  const Tensor misses = regression::left_out(data, Gaussian{.w = leaf}).values - data.y;
  const Tensor loss = sum(misses * misses) / 2;
  loss.backward();
  return {w, leaf.grad(), loss.item()};
}

Tensor start(const std::vector<Column>& columns, std::int64_t n) {
  double features = 0;
  for (const Column& column : columns) features += column.constant() ? 0 : 1;
  const double w = std::pow(static_cast<double>(n), 1 / (features + 4));
  std::vector<double> entries;
  entries.reserve(columns.size());
  for (const Column& column : columns) entries.push_back(column.constant() ? 0 : w);
  return from_vector(entries, {static_cast<std::int64_t>(entries.size())});
}

}  // namespace

LearnedBandwidth learned_bandwidth(const Tensor& x, const Tensor& y, const LearningOptions& options) {
  const Data raw = regression::checked_data(x, y, kLearningName);
  const std::int64_t n = raw.x.size(0);
  check(n >= 2, kLearningName, "needs at least 2 points to leave one out, found {}", n);
  check(options.epochs >= 0, kLearningName, "epochs must not be negative, found {}", options.epochs);
  check(options.lr > 0 && std::isfinite(options.lr), kLearningName,
        "lr must be positive and finite, found {}", options.lr);
  const auto x_units = regression::Units::of(raw.x), y_units = regression::Units::of(raw.y);
  const Tensor inner_x = x_units.inward(raw.x), inner_y = y_units.inward(raw.y), scale = scales(inner_x);
  const Data data{inner_x / scale, inner_y / scales(inner_y)};

  Step best = look(data, start(regression::columns_of(inner_x), n));
  check(std::isfinite(best.loss), kLearningName, "the loss at the start came out as {}, expected a number",
        best.loss);
  LearnedBandwidth learned{.bandwidth = {}, .losses = {best.loss}};
  double lr = options.lr;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    const Step next = look(data, best.w - lr * best.gradient);
    if (next.loss < best.loss) {
      best = next;
    } else {
      lr /= 2;  // too far: the data decide how far is too far, and no lr suits them all
    }
    learned.losses.push_back(best.loss);
    const auto points = static_cast<double>(data.y.numel());
    if (options.watch) options.watch({epoch, options.epochs, 2 * best.loss / points});
  }
  learned.bandwidth = x_units.lengths_outward(scale / abs(best.w));
  return learned;
}

}  // namespace heed
