// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What should be known before a curve is believed.
#include "regression/inner.h"
#include "regression/search_range.h"

#include "core/check.h"

#include <heed/regression.h>

#include <cmath>

namespace heed {
namespace {

using regression::Column;
using regression::Interval;

std::string label(const std::vector<std::string>& names, std::size_t d) {
  return names.empty() ? fmt::format("x column {}", d) : fmt::format("'{}'", names[d]);
}

}  // namespace

std::vector<std::string> KernelRegression::warnings(const std::vector<std::string>& names) const {
  const std::vector<double> h = inner_->bandwidth.to_vector();
  check(names.empty() || names.size() == h.size(), "KernelRegression",
        "names must be one for each of {} features, found {}", h.size(), names.size());
  const std::vector<Column> columns = regression::columns_of(inner_->sample.data.x);
  std::vector<std::string> lines;
  for (std::size_t d = 0; d < h.size(); ++d) {
    if (columns[d].constant()) continue;
    const Interval range = regression::search_range(columns[d]);
    if (std::log(h[d]) <= range.low + range.step) {
      lines.push_back(fmt::format(
          "the bandwidth of {} is at the low end of the search, an eighth of the median gap: rows may be "
          "repeated, or y may follow x without noise; average equal x, or give a bandwidth",
          label(names, d)));
    }
    if (std::log(h[d]) >= range.high - range.step) {
      lines.push_back(
          fmt::format("the bandwidth of {} is at the high end of the search: it tells next to nothing of y; "
                      "leave it out",
                      label(names, d)));
    }
  }
  const auto n = static_cast<double>(x_.size(0));
  const double df = degrees_of_freedom();
  if (n > 1 && df > n / 2) {
    lines.push_back(
        fmt::format("{:.4g} degrees of freedom for {} points: the curve follows most of them closely; give a "
                    "wider bandwidth",
                    df, n));
  }
  return lines;
}

}  // namespace heed
