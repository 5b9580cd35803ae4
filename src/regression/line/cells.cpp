// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/line/cells.h"

#include "kernels/line.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed::regression {
namespace {

constexpr double kMostProduct = 2.4;

}  // namespace

std::vector<Cell> cells_of(std::span<const double> x, double width) {
  const double inverse = 1 / width;
  const auto last = static_cast<double>(kLastCell);
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double place = x[i] * inverse;
    if (!(std::abs(place) < last)) continue;
    const auto number = static_cast<std::int64_t>(std::floor(place));
    const auto index = static_cast<std::int64_t>(i);
    if (cells.empty() || cells.back().number != number) cells.push_back({number, index, index});
    cells.back().end = index + 1;
  }
  return cells;
}

double cell_width(double h, double reach) {
  // r (reach + 3 r) = kMostProduct
  const double r = (std::sqrt(reach * reach + 12 * kMostProduct) - reach) / 6;
  int exponent = 0;
  std::frexp(2 * r * h, &exponent);
  return std::ldexp(1.0, exponent - 1);
}

double cell_error(double r, double reach) {
  const double rho = r * (reach + 3 * r);
  constexpr int n = kernels::kLineNodes, p = kernels::kLineMoments;
  // 4 e^rho sum_{k >= n} I_k(rho), with I_k(x) <= (x/2)^k / k! e^(x^2/4/(k+1))
  const double lead = std::exp(n * std::log(rho / 2) - std::lgamma(n + 1.0) + rho * rho / 4 / (n + 1));
  const double interpolation = 4 * std::exp(rho) * lead / (1 - rho / 2 / (n + 1));
  const double lebesgue = 2 / std::numbers::pi * std::log(n) + 1;
  const double moments = std::exp(p * std::log(rho) - std::lgamma(p + 1.0));
  return interpolation + lebesgue * std::exp(3 * rho) * moments;
}

}  // namespace heed::regression
