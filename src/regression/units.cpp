// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/units.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::regression {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

double scaled(double x, int exponent) {
  // A finite number stays one: a place beyond the range is as far as can be.
  return std::isfinite(x) ? std::clamp(std::ldexp(x, exponent), -kLargest, kLargest) : x;
}

/// change(x, column) of each element, in f64.
template <class Change>
Tensor changed(const Tensor& rows, const Change& change) {
  std::vector<double> values = rows.to_vector();
  const auto width = static_cast<std::size_t>(rows.size(-1));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = change(values[i], i % width);
  return from_vector(values, rows.shape());
}

/// Points lie within a factor of two of an offset four times their range, and there subtraction is exact. A place beyond is
/// at least two ranges away, and what its distance is rounded by does not count.
double offset_of(std::vector<double>& column, double range) {
  const auto middle = column.begin() + static_cast<std::ptrdiff_t>(column.size() / 2);
  std::ranges::nth_element(column, middle);
  return std::abs(*middle) > 4 * range ? *middle : 0;
}

}  // namespace

Units Units::of(const Tensor& x) {
  Units units;
  for (std::int64_t d = 0; d < x.size(1); ++d) {
    std::vector<double> column = x.select(1, d).to_vector();
    const auto [low, high] = std::ranges::minmax(column);
    int exponent = 0;
    std::frexp(std::max(std::abs(low), std::abs(high)), &exponent);
    for (double& entry : column) entry = std::ldexp(entry, -exponent);
    units.exponents_.push_back(exponent);
    units.offsets_.push_back(offset_of(column, std::ldexp(high, -exponent) - std::ldexp(low, -exponent)));
  }
  return units;
}

Tensor Units::inward(const Tensor& rows) const {
  return changed(rows, [&](double x, std::size_t d) { return scaled(x, -exponents_[d]) - offsets_[d]; });
}

Tensor Units::outward(const Tensor& rows, Dtype dtype) const {
  return changed(rows, [&](double x, std::size_t d) { return std::ldexp(x + offsets_[d], exponents_[d]); })
      .to(dtype);
}

Tensor Units::differences_inward(const Tensor& rows) const {
  return changed(rows, [&](double x, std::size_t d) { return scaled(x, -exponents_[d]); });
}

Tensor Units::differences_outward(const Tensor& rows) const {
  return changed(rows, [&](double x, std::size_t d) { return std::ldexp(x, exponents_[d]); });
}

Tensor Units::lengths_inward(const Tensor& rows) const {
  return changed(rows, [&](double x, std::size_t d) {
    return std::max(scaled(x, -exponents_[d]), std::numeric_limits<double>::min());
  });
}

Tensor Units::lengths_outward(const Tensor& rows) const {
  return changed(rows, [&](double x, std::size_t d) {
    return std::max(std::ldexp(x, exponents_[d]), std::numeric_limits<double>::denorm_min());
  });
}

Tensor Units::slopes_outward(const Tensor& rows, const Units& x) const {
  return changed(rows, [&](double slope, std::size_t m) {
    return std::ldexp(slope, exponents_[m] - x.exponents_.front());
  });
}

Tensor Units::squares_outward(const Tensor& rows) const {
  return changed(rows, [&](double x, std::size_t d) { return std::ldexp(x, 2 * exponents_[d]); });
}

}  // namespace heed::regression
