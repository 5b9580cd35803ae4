// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Curves of very many places as light files that show the same.
#include "viz/thin.h"
#include "support/files.h"
#include "support/svg.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace heed::viz {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMany = 300000;

/// Noise with a few spikes, and with gaps.
Tensor wild(std::int64_t n, double gaps) {
  std::vector<double> y = normal({n}, {}, f64).to_vector();
  const std::vector<double> chance = rand({n}).to_vector();
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (chance[i] < gaps) y[i] = kNan;
  }
  y[y.size() / 3] = 50;
  y[y.size() / 2] = -70;
  return from_vector(y, {n});
}

Interval ends(const std::vector<double>& numbers) {
  Interval found{INFINITY, -INFINITY};
  for (const double value : numbers) {
    if (!std::isfinite(value)) continue;
    found = {std::min(found.low, value), std::max(found.high, value)};
  }
  return found;
}

TEST(Thin, KeepsTheOutermostPlacesTheirOrderAndTheGaps) {
  seed(1);
  for (const double gaps : {0.0, 0.001, 0.9}) {
    for (const Series::Style style : {Series::Style::kLine, Series::Style::kPoints}) {
      const Tensor x = arange(kMany, f64);
      const Curves whole = curves_of({.series = {{.x = x, .y = wild(kMany, gaps), .style = style}}});
      Curves light = whole;
      make_light(light);
      const Curve &all = whole.all[0], &kept = light.all[0];
      EXPECT_LE(kept.x.size(), 80000u);
      EXPECT_EQ(ends(kept.y).low, -70);
      EXPECT_EQ(ends(kept.y).high, 50);
      if (gaps == 0) {
        EXPECT_EQ(ends(kept.x).low, 0);
        EXPECT_EQ(ends(kept.x).high, kMany - 1);
      }
      EXPECT_TRUE(std::ranges::is_sorted(kept.x));
      for (std::size_t i = 0; i < kept.x.size(); ++i) {
        const double there = all.y[static_cast<std::size_t>(kept.x[i])];
        EXPECT_TRUE(kept.y[i] == there || (std::isnan(kept.y[i]) && std::isnan(there)));
      }
      if (style == Series::Style::kPoints) continue;
      // No line leads over a gap.
      for (std::size_t i = 1; i < kept.x.size(); ++i) {
        if (!is_shown(kept, i) || !is_shown(kept, i - 1)) continue;
        for (auto j = static_cast<std::size_t>(kept.x[i - 1]); j <= static_cast<std::size_t>(kept.x[i]); ++j)
          ASSERT_FALSE(std::isnan(all.y[j])) << gaps;
      }
    }
  }
}

TEST(Thin, LeavesWhatIsSmallAsItIs) {
  const Chart chart{.series = {{.x = arange(1000), .y = wild(1000, 0.1)},
                               {.x = arange(1000), .y = wild(1000, 0.1), .style = Series::Style::kPoints}}};
  Curves light = curves_of(chart);
  make_light(light);
  for (const Curve& curve : light.all) EXPECT_EQ(curve.x.size(), 1000u);
}

TEST(Thin, WhateverIsDrawnASvgStaysBelowTwoMegabytes) {
  seed(1);
  const Tensor x = arange(kMany, f64), back_and_forth = normal({kMany});
  std::map<std::string, Chart> charts = {
      {"line", {.series = {{.x = x, .y = wild(kMany, 0)}}}},
      {"gaps", {.series = {{.x = x, .y = wild(kMany, 0.5)}}}},
      {"dashes", {.series = {{.x = back_and_forth, .y = wild(kMany, 0), .style = Series::Style::kDashes}}}},
      {"points", {.series = {{.x = back_and_forth, .y = normal({kMany}), .style = Series::Style::kPoints}}}},
      {"band", {.series = {{.x = x, .y = wild(kMany, 0.01), .upper = wild(kMany, 0.01)}}}}};
  for (int i = 0; i < 30; ++i)
    charts["many"].series.push_back({.name = "name", .x = x, .y = wild(kMany, 0.3)});
  for (int i = 0; i < 3; ++i) {
    for (const char* kind : {"line", "points", "band"})
      charts["mixed"].series.push_back(charts[kind].series[0]);
  }
  for (const auto& [name, chart] : charts) {
    const std::string drawn = svg(chart);
    EXPECT_LE(drawn.size(), 2'000'000u) << name;
    EXPECT_EQ(test::xml_error(drawn), "") << name;
  }
}

}  // namespace
}  // namespace heed::viz
