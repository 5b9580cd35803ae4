// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which numbers stand along an axis.
#pragma once

#include <heed/viz.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace heed::viz {

/// Whether an axis may reach as far as this number: it is finite, and so is the distance to any other such number.
inline bool is_drawable(double value) { return std::abs(value) <= 1e300; }

/// 1, 2, 5, 10, 20, ...: the least step at which 0 to length - 1 get at most so many ticks.
std::int64_t index_step(std::int64_t length, std::int64_t most);

/// Multiples of 1, 2 or 5 times a power of ten inside the range, at most so many (of at least 2).
std::vector<double> ticks(const Interval& range, int most);

/// The ticks as text, all with as many decimals as the finest needs.
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

}  // namespace heed::viz
