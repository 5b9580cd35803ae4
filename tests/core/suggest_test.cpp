// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The name that may have been meant.
#include <gtest/gtest.h>
#include <heed/suggest.h>

namespace heed::test {
namespace {

TEST(NearestName, IsTheOneMeant) {
  const std::vector<std::string> names = {"waist", "multi-head", "positions", "dropout"};
  EXPECT_EQ(nearest_name("waste", names), "waist");
  EXPECT_EQ(nearest_name("multihead", names), "multi-head");
  EXPECT_EQ(nearest_name("position", names), "positions");
  EXPECT_EQ(nearest_name("waist", names), "waist");
  EXPECT_EQ(nearest_name("dorpout", names), "dropout");
}

TEST(NearestName, IsNothingWhereNoneIsNear) {
  const std::vector<std::string> names = {"waist", "multi-head"};
  EXPECT_EQ(nearest_name("13", names), "");
  EXPECT_EQ(nearest_name("something else", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("waist", {}), "");
  EXPECT_EQ(nearest_name(std::string(1000, 'a'), {std::string(1000, 'a')}), "") << "too long to compare";
}

}  // namespace
}  // namespace heed::test
