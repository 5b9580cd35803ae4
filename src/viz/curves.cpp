// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/curves.h"

#include "core/check.h"
#include "viz/ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::viz {
namespace {

constexpr const char* kChart = "chart";

std::vector<double> numbers_of(const Tensor& x, std::size_t series, const char* field) {
  check(x.defined() && x.rank() == 1, kChart, "series {}: {}: expected (n,), found {}", series, field,
        x.defined() ? to_string(x.shape()) : "no tensor");
  return x.detach().to_vector();
}

Curve curve_of(const Series& series, std::size_t index) {
  Curve curve{.name = series.name,
              .x = numbers_of(series.x, index, "x"),
              .y = numbers_of(series.y, index, "y"),
              .upper = {},
              .style = series.style};
  check(curve.x.size() == curve.y.size(), kChart, "series {}: y: expected ({},) like x, found ({},)", index,
        curve.x.size(), curve.y.size());
  if (series.upper.defined()) {
    curve.upper = numbers_of(series.upper, index, "upper");
    check(curve.upper.size() == curve.x.size(), kChart,
          "series {}: upper: expected ({},) like x, found ({},)", index, curve.x.size(), curve.upper.size());
  }
  return curve;
}

void drop_what_is_not_positive(std::vector<double>& numbers) {
  for (double& value : numbers) {
    if (!(value > 0)) value = std::numeric_limits<double>::quiet_NaN();
  }
}

void widen(Interval& range, const std::vector<double>& numbers) {
  for (const double value : numbers) {
    if (!is_drawable(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
}

/// What was asked for, or else what was found, with room around it if it is a single point.
Interval settled(const std::optional<Interval>& asked, Interval found, const char* field) {
  if (asked) {
    check(is_drawable(asked->low) && is_drawable(asked->high) && asked->low < asked->high, kChart,
          "{}: expected low < high, found {} and {}", field, asked->low, asked->high);
    return *asked;
  }
  if (found.low > found.high) return {0, 1};
  if (found.low == found.high) {
    const double room = found.low == 0 ? 1 : std::abs(found.low) / 2;
    return {found.low - room, found.high + room};
  }
  return found;
}

}  // namespace

bool is_shown(const Curve& curve, std::size_t place) {
  return std::isfinite(curve.x[place]) && std::isfinite(curve.y[place]) &&
         (curve.upper.empty() || std::isfinite(curve.upper[place]));
}

bool is_alone(const Curve& curve, std::size_t place) {
  const std::size_t n = curve.x.size();
  return is_shown(curve, place) && (place == 0 || !is_shown(curve, place - 1)) &&
         (place + 1 >= n || !is_shown(curve, place + 1));
}

Curves curves_of(const Chart& chart) {
  check(!chart.series.empty(), kChart, "series: expected at least one, found none");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Interval x{kInfinity, -kInfinity}, y = x;
  Curves curves;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    Curve curve = curve_of(chart.series[i], i);
    if (chart.y_scale == Scale::kLog) {
      drop_what_is_not_positive(curve.y);
      drop_what_is_not_positive(curve.upper);
    }
    widen(x, curve.x);
    widen(y, curve.y);
    widen(y, curve.upper);
    curves.all.push_back(std::move(curve));
  }
  curves.x = settled(chart.x_range, x, "x_range");
  curves.y = settled(chart.y_range, y, "y_range");
  if (chart.y_scale == Scale::kLog && !(curves.y.low > 0)) {
    check(!chart.y_range, kChart, "y_range: expected low > 0 on a logarithmic scale, found {}", curves.y.low);
    curves.y.low = curves.y.high / 10;  // nothing positive was there to be shown
  }
  return curves;
}

}  // namespace heed::viz
