// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Numbers in ascending order, gathered by cells of a grid whose width is a power of two: the middle of a cell is exact, and so is
// the distance between two.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::regression {

struct Cell {
  std::int64_t number;  ///< it covers [number, number + 1) * width
  std::int64_t begin, end;
};

/// Beyond so many cells from zero a middle would be rounded: those numbers belong to none.
inline constexpr std::int64_t kLastCell = std::int64_t{1} << 49;

std::vector<Cell> cells_of(std::span<const double> x, double width);

/// The widest cells (a power of two) for which a reach of so many bandwidths keeps the error of a term: width / (2 h) =: r with
/// r (reach + 3 r) <= 2.4.
double cell_width(double h, double reach);

/// That error, for points up to `reach` bandwidths from a place, by the bounds of docs/lab/regression.md.
double cell_error(double r, double reach);

}  // namespace heed::regression
