// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The text of the tour: alignment, strips, the registry.
#include "tour/page.h"
#include "tour/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace heed::tour {
namespace {

TEST(Page, IndentsAndSeparates) {
  Page page;
  page.formula("y = x");
  page.line("{} and {}", 1, 2);
  page.see("Look.");
  EXPECT_EQ(page.text(), "    y = x\n\n    1 and 2\n\n    → Look.\n");
}

TEST(Page, AlignsNumbers) {
  Page page;
  page.numbers("x", tensor({{1, -2.5}, {100, 0}}), 1);
  EXPECT_EQ(page.text(),
            "    x\n"
            "        1.0   -2.5\n"
            "      100.0    0.0\n");
}

TEST(Page, AlignsWideCharacters) {
  Page page;
  page.table({{"我", "喜欢"}, {"a", "苹果"}}, tensor({{0.25, 0.75}, {1, 0}}), 2);
  EXPECT_EQ(page.text(),
            "                   a    苹果\n"
            "    我          0.25    0.75\n"
            "    喜欢        1.00    0.00\n");
}

TEST(Page, DrawsPicturesInCharacters) {
  Page page;
  page.line("before");
  page.picture(viz::Heatmap{.values = tensor({{0, 1}})});
  page.note("after");
  EXPECT_EQ(page.text(),
            "    before\n\n"
            "       0   ██\n"
            "         0 1\n"
            "         0 [  ░░▒▒▓▓██] 1\n\n"
            "    after\n");
}

TEST(Registry, FindsByNameAndNumber) {
  const auto all = experiments();
  ASSERT_EQ(all.size(), 12u);
  EXPECT_EQ(find_experiment("waist"), &all[0]);
  EXPECT_EQ(find_experiment("12"), &all[11]);
  for (const char* name : {"", "0", "13", "-1", "1x", "Waist", "99999999999999999999"}) {
    EXPECT_EQ(find_experiment(name), nullptr) << name;
  }
}

TEST(Registry, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const Experiment& e : experiments()) names.insert(e.name);
  EXPECT_EQ(names.size(), experiments().size());
}

TEST(Registry, TheSameSeedGivesTheSameText) {
  for (const Experiment& e : experiments()) {
    Page first, second;
    e.show(first, 3);
    rand({7});  // what was drawn in between must not matter
    e.show(second, 3);
    EXPECT_EQ(first.text(), second.text()) << e.name;
  }
}

}  // namespace
}  // namespace heed::tour
