// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regress/picture.h"

#include "support/figure.h"

#include <heed/ops.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace heed::command {
namespace {

constexpr std::int64_t kCurvePoints = 200;
/// More would hide each other, and make a heavy file.
constexpr std::int64_t kMostDrawn = 2000;

viz::Chart chart_of(const Sample& sample, const Fit& fit) {
  const Tensor x = sample.x.select(1, 0);
  const double low = min(x).item(), high = max(x).item();
  const Tensor places = linspace(low, high, kCurvePoints, f64);
  const Tensor curve = fit.model.predict(places.unsqueeze(1));
  const Band band = fit.model.band(places.unsqueeze(1));
  const std::int64_t n = x.numel(), every = (n + kMostDrawn - 1) / kMostDrawn;
  const Slice shown{.step = every};
  viz::Chart chart{.series = {},
                   .title = fmt::format("{} by {}", fmt::join(sample.y_names, ", "), sample.x_names.front()),
                   .x_label = sample.x_names.front(),
                   .y_label = fmt::format("{}", fmt::join(sample.y_names, ", "))};
  // An axis needs a length, even where x has none.
  if (low == high) chart.x_range = viz::Interval{low - 1, high + 1};
  for (std::size_t m = 0; m < sample.y_names.size(); ++m) {
    const auto column = static_cast<std::int64_t>(m);
    const std::string& name = sample.y_names[m];
    const Tensor points_x = x.slice(0, shown);
    const std::string points =
        every == 1 ? name : fmt::format("{} ({} of {} points)", name, points_x.numel(), n);
    chart.series.push_back({.name = "95 % band of the curve",
                            .x = places,
                            .y = band.lower.select(1, column),
                            .upper = band.upper.select(1, column)});
    chart.series.push_back({.name = points,
                            .x = points_x,
                            .y = sample.y.select(1, column).slice(0, shown),
                            .style = viz::Series::Style::kPoints});
    chart.series.push_back({.name = name + ", fitted", .x = places, .y = curve.select(1, column)});
  }
  return chart;
}

}  // namespace

void draw_fit(const std::string& path, const Sample& sample, const Fit& fit) {
  show_figure(path, chart_of(sample, fit));
}

}  // namespace heed::command
