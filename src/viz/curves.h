// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A chart, checked, its numbers at hand and the ends of its axes known.
#pragma once

#include <heed/viz.h>

#include <string>
#include <vector>

namespace heed::viz {

struct Curve {
  std::string name;
  std::vector<double> x, y;
  std::vector<double> upper;  ///< of a band; empty otherwise
  Series::Style style = Series::Style::kLine;
};

/// Whether there are numbers for this place, all of them finite.
bool is_shown(const Curve& curve, std::size_t place);

/// Whether no neighbour is shown, so that no line leads to this place and no band spreads from it.
bool is_alone(const Curve& curve, std::size_t place);

struct Curves {
  std::vector<Curve> all;
  Interval x, y;  ///< low < high, both finite
};

/// Throws an Error that names the field of the chart that is wrong. On a logarithmic scale what is not positive is NaN.
Curves curves_of(const Chart& chart);

}  // namespace heed::viz
