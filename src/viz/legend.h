// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The legend of a chart, placed by us: gnuplot's own gives each entry as much room as the longest needs, and complains where
// that does not fit.
#pragma once

#include "viz/curves.h"

#include <string>

namespace heed::viz {

struct Legend {
  std::string commands;
  double height = 0;  ///< in pixels; 0 if no series has a name
};

/// The height of the legend of a chart that is so wide.
double legend_height(const Curves& curves, double width);

/// Entries in as many rows as they need, centred, from so many pixels below the upper edge of the picture on.
Legend legend_of(const Curves& curves, double width, double height, double top);

/// How the line of a series is dashed, so that lines are told apart without colours too. `series`: its index.
std::string dashes_of(const Curves& curves, std::size_t series);

}  // namespace heed::viz
