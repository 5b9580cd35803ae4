// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Colour maps for heatmaps, and the colours of series.
#pragma once

#include <heed/viz.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace heed::viz {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// "#rrggbb"
std::string hex(const Rgb& colour);

/// Evenly spaced colours of the map, from low to high.
std::span<const Rgb> stops(Colours colours);

/// The colour at 0 (low) to 1 (high).
Rgb colour_at(Colours colours, double level);

/// Where a matrix has no number.
inline constexpr Rgb kGap = {0xb0, 0xb0, 0xb0};

/// Colours that people with any kind of colour vision tell apart (Okabe and Ito), again from the first after the last.
Rgb series_colour(std::size_t index);

}  // namespace heed::viz
