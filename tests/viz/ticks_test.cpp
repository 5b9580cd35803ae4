// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/ticks.h"

#include <gtest/gtest.h>

namespace heed::viz {
namespace {

using Labels = std::vector<std::string>;

Labels labels(double low, double high, int most) { return tick_labels(ticks({low, high}, most)); }

TEST(Ticks, AreRoundNumbersInsideTheRange) {
  EXPECT_EQ(labels(0, 1, 6), (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(0, 0.5, 6), (Labels{"0.0", "0.1", "0.2", "0.3", "0.4", "0.5"}));
  EXPECT_EQ(labels(-1, 1, 5), (Labels{"-1.0", "-0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(labels(0, 59, 7), (Labels{"0", "10", "20", "30", "40", "50"}));
  EXPECT_EQ(labels(0, 1e9, 3), (Labels{"0", "5e+08", "1e+09"}));
  EXPECT_EQ(labels(0, 1e-9, 3), (Labels{"0", "5e-10", "1e-09"}));
}

TEST(Ticks, AreNeverMoreThanAllowed) {
  for (const double low : {-3.7, 0.0, 1e-12, 123456.0}) {
    for (const double span : {1e-7, 0.3, 1.0, 7.0, 1e20}) {
      for (const int most : {2, 3, 10}) {
        EXPECT_LE(static_cast<int>(ticks({low, low + span}, most).size()), most) << low << ' ' << span;
      }
    }
  }
}

TEST(Ticks, OfIndicesAreStepsOfOneTwoAndFive) {
  EXPECT_EQ(index_step(4, 8), 1);
  EXPECT_EQ(index_step(10, 8), 2);
  EXPECT_EQ(index_step(60, 8), 10);
  EXPECT_EQ(index_step(100000, 8), 20000);
  EXPECT_EQ(index_step(5, 1), 5);
}

}  // namespace
}  // namespace heed::viz
