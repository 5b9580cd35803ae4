// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/panels.h"

#include "core/check.h"
#include "core/parallel.h"
#include "viz/ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::viz {
namespace {

constexpr const char* kHeatmap = "heatmap";
constexpr std::int64_t kMostPanels = 100;
constexpr std::int64_t kAllCells = std::int64_t{1} << 20;  // downsample() makes no more

/// (rows, columns, Lq, Lk), whatever the heatmap came with.
Tensor as_grid(const Tensor& values) {
  check_defined(values, kHeatmap, "values");
  const std::int64_t rank = values.rank();
  check(rank >= 2 && rank <= 4, kHeatmap,
        "values: expected (Lq, Lk), (n, Lq, Lk) or (rows, columns, Lq, Lk), found {}", values.shape());
  check(values.numel() > 0, kHeatmap, "values: expected at least one number, found {}", values.shape());
  Tensor grid = values.detach();
  while (grid.rank() < 4) grid = grid.unsqueeze(0);
  check(grid.size(0) * grid.size(1) <= kMostPanels, kHeatmap, "values: expected at most {} panels, found {}",
        kMostPanels, values.shape());
  return grid;
}

void check_count(std::size_t found, std::int64_t expected, std::string_view field) {
  check(found == 0 || static_cast<std::int64_t>(found) == expected, kHeatmap,
        "{}: expected {} labels or none, found {}", field, expected, found);
}

void check_labels(const Heatmap& heatmap, const Panels& panels) {
  check_count(heatmap.queries.size(), panels.whole[0], "queries");
  check_count(heatmap.keys.size(), panels.whole[1], "keys");
  const auto titles = static_cast<std::int64_t>(heatmap.panel_titles.size());
  check(titles == 0 || titles == panels.columns || titles == panels.rows * panels.columns, kHeatmap,
        "panel_titles: expected none, {} (one per column) or {} (one per panel), found {}", panels.columns,
        panels.rows * panels.columns, titles);
}

/// Of a mask that is broadcast over the values.
Tensor mask_grid(const Heatmap& heatmap, const Tensor& grid) {
  check(heatmap.mask.dtype() == boolean, kHeatmap, "mask: expected {}, found {}", boolean,
        heatmap.mask.dtype());
  const Shape& shape = heatmap.mask.shape();
  bool fits = shape.rank() <= heatmap.values.rank();
  for (std::int64_t i = 1; fits && i <= shape.rank(); ++i) {
    const std::int64_t size = shape[shape.rank() - i];
    fits = size == 1 || size == grid.size(4 - i);
  }
  check(fits, kHeatmap, "mask: expected to be broadcast over {}, found {}", heatmap.values.shape(), shape);
  return heatmap.mask.expand(grid.shape());
}

/// (Lk,), (Lq,) or nothing.
std::vector<double> places_of(const Tensor& places, std::int64_t count, bool named, std::string_view field) {
  if (!places.defined()) return {};
  check(places.shape() == Shape{count}, kHeatmap, "{}: expected ({},), found {}", field, count,
        places.shape());
  check(!named, kHeatmap, "{}: expected either names or places, found both", field);
  std::vector<double> numbers = places.detach().to_vector();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    check(is_drawable(numbers[i]) && (i == 0 || numbers[i - 1] <= numbers[i]), kHeatmap,
          "{}: expected numbers that rise, found {} at {}", field, numbers[i], i);
  }
  return numbers;
}

/// The numbers of the pairs that are not masked, with a stand-in for the others; then which cells have none.
struct MaskedCells {
  std::vector<double> values;
  std::vector<bool> masked;
};

MaskedCells masked_cells(const Tensor& matrix, const Tensor& mask, const DownsampleOptions& options) {
  const bool largest = options.pool == Pool::kMax;
  const double stand_in = largest ? -std::numeric_limits<double>::infinity() : 0;
  std::vector<double> values = matrix.to_vector();
  const std::vector<double> attended = mask.to(f64).to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (attended[i] == 0) values[i] = stand_in;
  }
  MaskedCells cells{.values = downsample(from_vector(values, matrix.shape()), options).to_vector(),
                    .masked = {}};
  const std::vector<double> share =
      downsample(from_vector(attended, matrix.shape()), options).to_vector();  // or whether there is any
  for (std::size_t i = 0; i < share.size(); ++i) {
    cells.masked.push_back(share[i] == 0);
    if (!largest) cells.values[i] /= share[i];
    if (cells.masked[i]) cells.values[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return cells;
}

/// Of the finite numbers. From 0 on where that leaves room for differences, so that a pale cell means little.
Interval range_of(const std::vector<std::vector<double>>& cells) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Interval range{kInfinity, -kInfinity};
  for (const auto& panel : cells) {
    for (const double value : panel) {
      if (!is_drawable(value)) continue;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  }
  if (range.low > range.high) return {0, 1};
  if (range.low == range.high || (range.low > 0 && range.low < range.high / 2))
    range.low = std::min(range.low, 0.0);
  if (range.low == range.high) range.high = range.low + 1;
  return range;
}

/// Row by row, so that no copy of it all is made.
bool has_negative(const Tensor& matrix) {
  for (std::int64_t row = 0; row < matrix.size(0); ++row) {
    poll_interrupt();
    if (std::ranges::any_of(matrix[row].to_vector(), [](double value) { return value < 0; })) return true;
  }
  return false;
}

/// Among weights the largest is what counts. Among numbers of both signs it would hide the negative ones.
Pool pool_for(const Tensor& grid) {
  for (std::int64_t i = 0; i < grid.size(0) * grid.size(1); ++i) {
    if (has_negative(grid[i / grid.size(1)][i % grid.size(1)])) return Pool::kMean;
  }
  return Pool::kMax;
}

/// How many cells for so many rows or columns: each is one if they fit, or else stands for as many as its neighbours.
std::int64_t cells_for(std::int64_t length, std::int64_t most) {
  const std::int64_t each = (length + most - 1) / most;
  return (length + each - 1) / each;
}

}  // namespace

Panels panels_of(const Heatmap& heatmap, std::int64_t most_rows, std::int64_t most_columns) {
  const Tensor grid = as_grid(heatmap.values);
  Panels panels{.rows = grid.size(0), .columns = grid.size(1)};
  panels.whole = heatmap.whole.value_or(Shape{grid.size(2), grid.size(3)});
  check(panels.whole.rank() == 2 && panels.whole[0] >= grid.size(2) && panels.whole[1] >= grid.size(3),
        kHeatmap, "whole: expected (Lq, Lk) of at least {}, found {}", Shape{grid.size(2), grid.size(3)},
        panels.whole);
  check_labels(heatmap, panels);
  panels.query_places =
      places_of(heatmap.query_places, panels.whole[0], !heatmap.queries.empty(), "query_places");
  panels.key_places = places_of(heatmap.key_places, panels.whole[1], !heatmap.keys.empty(), "key_places");
  const DownsampleOptions options{.height = cells_for(grid.size(2), most_rows),
                                  .width = cells_for(grid.size(3), most_columns),
                                  .pool = heatmap.pool.value_or(pool_for(grid))};
  panels.height = std::min(grid.size(2), options.height);
  panels.width = std::min(grid.size(3), options.width);
  const Tensor mask = heatmap.mask.defined() ? mask_grid(heatmap, grid) : Tensor();
  for (std::int64_t i = 0; i < panels.rows * panels.columns; ++i) {
    const std::int64_t row = i / panels.columns, column = i % panels.columns;
    if (!mask.defined()) {
      panels.cells.push_back(downsample(grid[row][column], options).to_vector());
      continue;
    }
    MaskedCells cells = masked_cells(grid[row][column], mask[row][column], options);
    panels.cells.push_back(std::move(cells.values));
    panels.masked.push_back(std::move(cells.masked));
  }
  panels.range = heatmap.range.value_or(range_of(panels.cells));
  const bool both_signs = panels.range.low < 0 && panels.range.high > 0;
  panels.colours = heatmap.colours.value_or(both_signs ? Colours::kDiverging : Colours::kReds);
  check(
      is_drawable(panels.range.low) && is_drawable(panels.range.high) && panels.range.low < panels.range.high,
      kHeatmap, "range: expected low < high, found {} and {}", panels.range.low, panels.range.high);
  if (panels.colours == Colours::kDiverging) {
    const double reach = std::max(-panels.range.low, panels.range.high);
    panels.range = {-reach, reach};
  }
  for (auto& panel : panels.cells) {
    for (double& value : panel) {
      if (!std::isnan(value)) value = std::clamp(value, panels.range.low, panels.range.high);
    }
  }
  return panels;
}

Interval colour_range(const Heatmap& heatmap) { return panels_of(heatmap, kAllCells, kAllCells).range; }

Colours colour_map(const Heatmap& heatmap) { return panels_of(heatmap, kAllCells, kAllCells).colours; }

std::string panel_title(const Heatmap& heatmap, const Panels& panels, std::int64_t panel) {
  const auto& titles = heatmap.panel_titles;
  if (static_cast<std::int64_t>(titles.size()) == panels.rows * panels.columns) {
    return titles[static_cast<std::size_t>(panel)];
  }
  return !titles.empty() && panel < panels.columns ? titles[static_cast<std::size_t>(panel)] : "";
}

std::string reduction_note(const Panels& panels) {
  if (!panels.is_reduced()) return "";
  return fmt::format("{} × {} drawn as {} × {}", panels.whole[0], panels.whole[1], panels.height,
                     panels.width);
}

}  // namespace heed::viz
