// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regress/maps.h"

#include <heed/attend.h>
#include <heed/ops.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heed::command {
namespace {

/// Rows of x (n, D) in the order of the first column, in units of the bandwidths.
Tensor sorted_and_scaled(const Tensor& x, const Tensor& bandwidth) {
  const std::vector<double> first = x.select(1, 0).to_vector(), all = x.to_vector(),
                            h = bandwidth.to_vector();
  std::vector<std::size_t> order(first.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return first[i]; });
  std::vector<double> rows;
  for (const std::size_t i : order) {
    for (std::size_t d = 0; d < h.size(); ++d) rows.push_back(all[i * h.size() + d] / h[d]);
  }
  return from_vector(rows, x.shape());
}

Tensor sorted(const Tensor& x) {
  std::vector<double> numbers = x.to_vector();
  std::ranges::sort(numbers);
  return from_vector(numbers, x.shape());
}

}  // namespace

viz::Chart loss_chart(const std::vector<double>& losses) {
  const auto count = static_cast<std::int64_t>(losses.size());
  return {.series = {{.name = "loss", .x = arange(count, f64), .y = from_vector(losses, {count})}},
          .title = "The loss while the bandwidth was learned",
          .x_label = "epoch",
          .y_label = "loss"};
}

viz::Heatmap weight_map(const Sample& sample, const Fit& fit) {
  const Tensor x = sorted_and_scaled(sample.x, fit.model.bandwidth());
  // Values without width: only the weights are of interest.
  const AttentionWeights weights =
      attend_with_weights(x, x, zeros({x.size(0), 0}, f64), {.score = Gaussian{.bandwidth = 1}}).weights;
  const auto rows = [&](std::int64_t first, std::int64_t count) {
    WeightsPart part;
    part.rows.resize(static_cast<std::size_t>(count));
    std::iota(part.rows.begin(), part.rows.end(), first);
    return weights(part);
  };
  const Shape whole = {x.size(0), x.size(0)};
  const Tensor places = sorted(sample.x.select(1, 0));
  return {.values = viz::downsample(whole, rows),
          .title = "How each guess (row) weighs the points (columns)",
          .x_label = fmt::format("{} of the points", sample.x_names.front()),
          .y_label = fmt::format("{} of the guess", sample.x_names.front()),
          .query_places = places,
          .key_places = places,
          .whole = whole};
}

}  // namespace heed::command
