// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The text of the tour: its parts and their order, wrapping, the registry.
#include "tour/page.h"
#include "tour/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace heed::tour {
namespace {

TEST(Page, IndentsAndSeparates) {
  Page page;
  page.question("What is y?");
  page.formula("y = x");
  page.see("Look.");
  page.read({.text = "A book", .url = "https://example.org"});
  EXPECT_EQ(page.text(), "    What is y?\n\n    y = x\n\n    Look.\n\n    A book, https://example.org\n");
}

TEST(Page, WrapsParagraphsToTheTerminal) {
  Page page;
  page.note("one two three four five six");
  EXPECT_EQ(page.text({.columns = 24}), "    one two three four\n    five six\n");
  Page whole;
  for (const Experiment& e : experiments()) e.show(whole, 0);
  for (const Part& part : whole.parts()) {
    if (std::holds_alternative<Formula>(part) || std::holds_alternative<Output>(part)) continue;
    Page one;
    if (const auto* note = std::get_if<Note>(&part)) one.note(note->text);
    if (const auto* picture = std::get_if<Picture>(&part)) one.picture(picture->figure);
    std::istringstream lines(one.text({.columns = 50}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(viz::display_width(line), 50) << line;
  }
}

struct Sum {
  int a = 0, b = 0;
};
void print(std::ostream& out, const Sum& sum) {
  out << sum.a << " + " << sum.b << "\n\n= " << sum.a + sum.b << '\n';
}

TEST(Page, ShowsWhatTheProgramPrints) {
  Page page;
  page.output(Sum{.a = 1, .b = 2});
  EXPECT_EQ(page.text(), "    1 + 2\n\n    = 3\n");
}

TEST(Page, DrawsPicturesInCharacters) {
  Page page;
  page.note("before");
  page.picture(viz::Heatmap{.values = tensor({{0, 1}})});
  page.note("after");
  EXPECT_EQ(page.text(),
            "    before\n\n"
            "       0   ██\n"
            "         0 1\n"
            "         0 [  ░░▒▒▓▓██] 1\n\n"
            "    after\n");
}

/// A question first, two paragraphs, a picture, what the program prints, and where to read on.
TEST(Page, OfEveryExperimentHasAllItsParts) {
  for (const Experiment& e : experiments()) {
    Page page;
    e.show(page, 0);
    EXPECT_TRUE(std::holds_alternative<Question>(page.parts().front())) << e.name;
    const auto count = [&](auto is) { return std::ranges::count_if(page.parts(), is); };
    EXPECT_EQ(count([](const Part& p) { return std::holds_alternative<Note>(p); }), 1) << e.name;
    EXPECT_EQ(count([](const Part& p) { return std::holds_alternative<Lesson>(p); }), 1) << e.name;
    EXPECT_EQ(count([](const Part& p) { return std::holds_alternative<Output>(p); }), 1) << e.name;
    EXPECT_GE(count([](const Part& p) { return std::holds_alternative<Picture>(p); }), 1) << e.name;
    EXPECT_GE(count([](const Part& p) { return std::holds_alternative<Reading>(p); }), 1) << e.name;
  }
}

TEST(Page, OfTheRegressionShowsItsPoints) {
  Page page;
  find_experiment("regression")->show(page, 0);
  for (const Part& part : page.parts()) {
    const auto* picture = std::get_if<Picture>(&part);
    if (picture == nullptr || !std::holds_alternative<viz::Chart>(picture->figure)) continue;
    viz::Chart chart = std::get<viz::Chart>(picture->figure), alone = chart;
    if (chart.series.size() < 4) continue;
    // The points alone, in the same ranges, make as many marks.
    const auto marks = [](const viz::Chart& c) {
      const std::string text = viz::text(c, {.ink = viz::Ink::kDigits});
      return std::ranges::count(text, 'o');
    };
    alone.series.erase(alone.series.begin() + 1, alone.series.end());
    alone.x_range = viz::Interval{0, 5};
    chart.x_range = alone.x_range;
    alone.y_range = chart.y_range = viz::Interval{-1, 6};
    EXPECT_GE(marks(alone), 20);
    EXPECT_GE(marks(chart), marks(alone));
    return;
  }
  FAIL() << "no chart of points";
}

TEST(Registry, FindsByNameAndNumber) {
  const auto all = experiments();
  ASSERT_EQ(all.size(), 13u);
  EXPECT_EQ(find_experiment("waist"), &all[0]);
  EXPECT_EQ(find_experiment("13"), &all[12]);
  for (const char* name : {"", "0", "14", "-1", "1x", "Waist", "99999999999999999999"}) {
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
