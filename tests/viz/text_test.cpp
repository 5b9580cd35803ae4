// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Figures in characters: every cell in its place, whatever stands in the labels and however wide it is.
#include "support/errors.h"
#include "viz/hostile_labels.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <sstream>

namespace heed::viz {
namespace {

using heed::test::expect_errors;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(HeatmapText, ShadesCells) {
  const Heatmap heatmap{
      .values = tensor({{0, 0.5, 1}, {0.25, 0.75, kNan}}), .x_label = "Keys", .y_label = "Queries"};
  EXPECT_EQ(text(heatmap),
            "Queries ↓\n"
            "   0   ▒▒██\n"
            "   1 ░░▓▓??\n"
            "     0 1 2\n"
            "     Keys →\n"
            "     0 [  ░░▒▒▓▓██] 1\n");
}

TEST(HeatmapText, MarksWhatIsMasked) {
  const Heatmap heatmap{.values = tensor({{0, 1, 0}}), .mask = tensor({true, true, false})};
  EXPECT_EQ(text(heatmap),
            "   0   ██╱╱\n"
            "     0 1 2\n"
            "     0 [  ░░▒▒▓▓██] 1   ╱ masked\n");
  EXPECT_EQ(text(heatmap, {.ink = Ink::kDigits}),
            "   0 0 9 //\n"
            "     0 1 2\n"
            "     0 [0123456789] 1   / masked\n");
  EXPECT_NE(text(heatmap, {.ink = Ink::kTrueColour}).find("╱╱\n"), std::string::npos);
}

TEST(HeatmapText, GivesPanelTitlesTheRoomTheyNeed) {
  EXPECT_EQ(text(Heatmap{.values = ones({2, 1, 2}), .panel_titles = {"softmax(Q K)", "softmax(Q K / 2)"}}),
            "     softmax(Q K)      softmax(Q K / 2)\n"
            "   0 ████              ████\n"
            "     0 1               0 1\n"
            "     0 [  ░░▒▒▓▓██] 1\n");
}

TEST(HeatmapText, AddsNothingBeyondAsciiWhereThatCannotBeShown) {
  const Heatmap heatmap{.values = rand({100, 100}),
                        .mask = ones({100, 100}).to(boolean),
                        .title = std::string(300, 'x'),
                        .x_label = "keys",
                        .y_label = "queries"};
  for (const Terminal& terminal : {Terminal{.ink = Ink::kDigits}, Terminal{.utf8 = false},
                                   Terminal{.ink = Ink::kTrueColour, .utf8 = false}}) {
    for (const char c : text(heatmap, terminal)) ASSERT_GT(c, 0);
    for (const char c : text(Chart{.series = {{.name = "y", .x = arange(3), .y = arange(3)}}}, terminal))
      ASSERT_GT(c, 0);
  }
}

TEST(HeatmapText, WrapsWhatIsWiderThanTheTerminal) {
  const Heatmap heatmap{.values = ones({1, 1}), .title = "a title that goes on for more than one line"};
  const std::string drawn = text(heatmap, {.columns = 24});
  EXPECT_EQ(drawn.rfind("a title that goes on for\nmore than one line\n", 0), 0u) << drawn;
}

TEST(HeatmapText, WritesDigitsWhereNothingElseWorks) {
  const Heatmap heatmap{.values = tensor({{0, 0.5, 1}, {0.25, 0.75, kNan}})};
  EXPECT_EQ(text(heatmap, {.ink = Ink::kDigits}),
            "   0 0 5 9\n"
            "   1 2 7 ?\n"
            "     0 1 2\n"
            "     0 [0123456789] 1\n");
}

TEST(HeatmapText, LinesUpWideCharacters) {
  const std::vector<std::string> words = {"我", "喜欢", "eat", "苹果"};
  EXPECT_EQ(text(Heatmap{.values = eye(4), .queries = words, .keys = words}),
            "     我   喜欢 eat  苹果\n"
            "我   ████\n"
            "喜欢      ████\n"
            "eat            ████\n"
            "苹果                ████\n"
            "     0 [  ░░▒▒▓▓██] 1\n");
}

TEST(HeatmapText, ColoursCells) {
  const Heatmap heatmap{.values = tensor({{0, 1}})};
  EXPECT_NE(text(heatmap, {.ink = Ink::kTrueColour})
                .find("\x1b[48;2;255;245;240m  \x1b[0m\x1b[48;2;103;0;13m  \x1b[0m"),
            std::string::npos);
  EXPECT_NE(text(heatmap, {.ink = Ink::k256}).find("\x1b[48;5;231m  \x1b[0m\x1b[48;5;52m  \x1b[0m"),
            std::string::npos)
      << text(heatmap, {.ink = Ink::k256});
}

TEST(HeatmapText, PutsPanelsSideBySideAndUnderEachOther) {
  const Heatmap heatmap{.values = ones({2, 2, 1, 2}), .panel_titles = {"a", "b"}};
  EXPECT_EQ(text(heatmap),
            "     a     b\n"
            "   0 ████  ████\n"
            "     0 1   0 1\n"
            "   0 ████  ████\n"
            "     0 1   0 1\n"
            "     0 [  ░░▒▒▓▓██] 1\n");
}

TEST(HeatmapText, FitsIntoTheTerminalAndSaysWhatItLeftOut) {
  for (const int columns : {20, 40, 80, 200}) {
    for (const Shape& shape : {Shape{300, 1000}, Shape{3, 30, 70}, Shape{2, 5, 8, 8}}) {
      const std::string drawn = text(Heatmap{.values = rand(shape)}, {.columns = columns});
      const std::vector<std::string> lines = lines_of(drawn);
      for (const std::string& line : lines) EXPECT_LE(display_width(line), columns) << line;
      EXPECT_LE(lines.size(), 3 * 42u);
    }
  }
  const std::string drawn = text(Heatmap{.values = rand({300, 1000})});
  EXPECT_NE(drawn.find("300 × 1000 drawn as 38 × 72"), std::string::npos) << drawn;
}

TEST(HeatmapText, PoolsByMeanWhereTheLargestWouldHideNegativeNumbers) {
  const Tensor columns = tensor({{-1, 1}}).expand({100, 2});
  const Tensor matrix = cat({columns, columns * -1}, 0).reshape({200, 2});
  EXPECT_NE(text(Heatmap{.values = matrix}).find("-1 [  ░░▒▒▓▓██] 1"), std::string::npos);
  const Tensor rows = tensor({{0}, {1}}).expand({2, 100}).transpose(0, 1).reshape({200, 1});
  const auto scale = [&](std::optional<Pool> pool) { return text(Heatmap{.values = rows, .pool = pool}); };
  EXPECT_NE(scale(std::nullopt).find("█] 1 "), std::string::npos);
  EXPECT_NE(scale(Pool::kMean).find("█] 0.6 "), std::string::npos) << scale(Pool::kMean);
}

TEST(HeatmapText, CountsRowsOfTheWholeMatrix) {
  const std::string drawn = text(Heatmap{.values = rand({4, 40}), .whole = Shape{4000, 100000}});
  for (const char* part : {"\n3000 ", " 75000", "4000 × 100000 drawn as 4 × 40"}) {
    EXPECT_NE(("\n" + drawn).find(part), std::string::npos) << drawn;
  }
}

TEST(HeatmapText, SurvivesHostileLabels) {
  for (const auto& [raw, shown] : hostile_labels()) {
    const Heatmap heatmap{.values = ones({1, 1}),
                          .title = raw,
                          .x_label = raw,
                          .y_label = raw,
                          .panel_titles = {raw},
                          .queries = {raw},
                          .keys = {raw}};
    const std::string drawn = text(heatmap, {.columns = 120});
    EXPECT_GE(lines_of(drawn).size(), 7u) << drawn;
    EXPECT_LE(lines_of(drawn).size(), 9u) << drawn;
    for (const char c : drawn) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << drawn;
    std::string title = shown;
    title.erase(title.find_last_not_of(' ') + 1);
    if (title.size() < 100) {
      EXPECT_EQ(lines_of(drawn)[0], title);
    }
  }
}

TEST(ChartText, PutsMarksInTheirCells) {
  const Chart chart{
      .series = {{.name = "up", .x = tensor({0, 1}), .y = tensor({0, 1})},
                 {.name = "points", .x = tensor({0.5}), .y = tensor({0}), .style = Series::Style::kPoints}},
      .title = "T",
      .x_label = "x"};
  EXPECT_EQ(text(chart, {.columns = 26, .rows = 13}),
            "T\n"
            "# up   o points\n"
            "1.0 +                  ###\n"
            "    |             #####\n"
            "0.5 +        #####\n"
            "    |   #####\n"
            "0.0 +###       o\n"
            "    ++---------+---------+\n"
            "     0.0      0.5      1.0\n"
            "               x\n")
      << text(chart, {.columns = 26, .rows = 13});
}

/// The bits of the braille in a text, in order.
std::vector<int> braille_of(const std::string& text) {
  std::vector<int> found;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
    if (byte(0) == 0xE2 && byte(1) >= 0xA0 && byte(1) <= 0xA3)
      found.push_back((byte(1) & 3) << 6 | (byte(2) & 0x3F));
  }
  return found;
}

TEST(ChartText, DrawsLinesInDotsWhereThereAreColours) {
  const Chart level{.series = {{.x = tensor({0, 1}), .y = tensor({0.5, 0.5})}}, .y_range = Interval{0, 1}};
  for (const Ink ink : {Ink::k256, Ink::kTrueColour}) {
    // One row of dots in each character of one line.
    const std::vector<int> dots = braille_of(text(level, {.columns = 40, .ink = ink}));
    EXPECT_GE(dots.size(), 30u);
    for (const int bits : dots)
      EXPECT_TRUE(bits == 0x09 || bits == 0x12 || bits == 0x24 || bits == 0xC0) << bits;
  }
  for (const Terminal& plain : {Terminal{.ink = Ink::kShades}, Terminal{.ink = Ink::kDigits},
                                Terminal{.ink = Ink::kTrueColour, .utf8 = false}}) {
    EXPECT_TRUE(braille_of(text(level, plain)).empty());
    EXPECT_NE(text(level, plain).find('#'), std::string::npos);
  }
  // A straight line up has dots in both columns of characters, and leaves none of them out.
  const Chart up{.series = {{.x = tensor({0, 1}), .y = tensor({0, 1})}}};
  int count = 0;
  for (const int bits : braille_of(text(up, {.columns = 40, .rows = 24, .ink = Ink::kTrueColour})))
    count += static_cast<int>(std::popcount(static_cast<unsigned>(bits)));
  EXPECT_GE(count, 64);
}

TEST(ChartText, ShowsPointsAndBandsAmongDots) {
  const Tensor x = arange(7), y = tensor({1, 3, 2, 4, 6, 5, 7});
  const std::string drawn = text(Chart{.series = {{.x = x, .y = y - 1, .upper = y + 1},
                                                  {.x = x, .y = y, .style = Series::Style::kPoints},
                                                  {.x = x, .y = y}}},
                                 {.ink = Ink::kTrueColour});
  int points = 0, band = 0;
  for (std::size_t at = 0; (at = drawn.find("●", at)) != std::string::npos; ++at) ++points;
  for (std::size_t at = 0; (at = drawn.find("░", at)) != std::string::npos; ++at) ++band;
  EXPECT_EQ(points, 7) << drawn;
  EXPECT_GE(band, 50) << drawn;
}

TEST(ChartText, LeavesGaps) {
  const Chart chart{.series = {{.x = arange(5), .y = tensor({1, 1, kNan, 1, 1})}}, .y_range = Interval{0, 2}};
  const std::string drawn = text(chart, {.columns = 24});
  EXPECT_NE(drawn.find("+######        #####\n"), std::string::npos) << drawn;
}

TEST(ChartText, FillsBands) {
  const Chart chart{.series = {{.x = tensor({0, 1}), .y = tensor({0, 0}), .upper = tensor({1, 1})}}};
  const std::string drawn = text(chart, {.columns = 24, .rows = 13});
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), ':'), 5 * 19) << drawn;
}

TEST(ChartText, HasALogarithmicScale) {
  const Chart chart{.series = {{.x = arange(4), .y = tensor({1, 10, 100, 0})}}, .y_scale = Scale::kLog};
  const std::string drawn = text(chart);
  for (const char* part : {"100 +", " 10 +", "  1 +"})
    EXPECT_NE(drawn.find(part), std::string::npos) << drawn;
}

TEST(ChartText, DrawsWhatLiesFarOutsideInBoundedTime) {
  const Chart chart{.series = {{.x = tensor({0, 1e30, -1e30}), .y = tensor({0, 1e38, -1e38})}},
                    .x_range = Interval{0, 1}};
  EXPECT_NE(text(chart).find('#'), std::string::npos);
}

TEST(HeatmapColours, DivergeAroundZeroForNumbersOfBothSigns) {
  const Heatmap both{.values = tensor({{-1, 0.5}})};
  EXPECT_EQ(colour_map(both), Colours::kDiverging);
  EXPECT_EQ(colour_range(both).low, -1);
  EXPECT_EQ(colour_range(both).high, 1);
  EXPECT_EQ(colour_map({.values = tensor({{0, 0.5}})}), Colours::kReds);
  EXPECT_EQ(colour_map({.values = tensor({{-2, -0.5}})}), Colours::kReds);
  EXPECT_EQ(colour_map({.values = tensor({{-1, 0.5}}), .colours = Colours::kViridis}), Colours::kViridis);
  EXPECT_EQ(colour_range({.values = tensor({{1, 3}}), .colours = Colours::kDiverging}).low, -3);
}

TEST(HeatmapRange, IsTheOneGivenOrFollowsTheValues) {
  const auto ends = [](const Heatmap& heatmap) {
    const Interval range = colour_range(heatmap);
    return std::pair(range.low, range.high);
  };
  EXPECT_EQ(ends({.values = tensor({{0.25, 0.75}})}), std::pair(0.0, 0.75));
  EXPECT_EQ(ends({.values = tensor({{0.5, 0.75}, {kNan, 0.5}})}), std::pair(0.5, 0.75));
  EXPECT_EQ(ends({.values = tensor({{-1, 0.5}}), .range = Interval{-2, 2}}), std::pair(-2.0, 2.0));
  // Every number counts, also where a picture would draw the largest of several.
  EXPECT_EQ(ends({.values = cat({full({1, 1999}, 0.75), full({1, 1}, 0.5)}, 1)}), std::pair(0.5, 0.75));
}

TEST(Text, NamesWhatIsWrong) {
  const Tensor x = arange(3);
  const auto heatmap = [](Heatmap h) { return [h] { text(h); }; };
  const auto chart = [](Chart c) { return [c] { text(c); }; };
  expect_errors({
      {heatmap({}), "heatmap: values"},
      {heatmap({.values = x}),
       "heatmap: values: expected (Lq, Lk), (n, Lq, Lk) or (rows, columns, Lq, Lk), found (3,)"},
      {heatmap({.values = ones({2, 0})}), "values: expected at least one number, found (2, 0)"},
      {heatmap({.values = ones({101, 1, 1})}), "values: expected at most 100 panels, found (101, 1, 1)"},
      {heatmap({.values = ones({2, 3}), .queries = {"a"}}), "queries: expected 2 labels or none, found 1"},
      {heatmap({.values = ones({2, 3}), .keys = {"a"}}), "keys: expected 3 labels or none, found 1"},
      {heatmap({.values = ones({2, 3, 1, 1}), .panel_titles = {"a"}}),
       "panel_titles: expected none, 3 (one per column) or 6 (one per panel), found 1"},
      {heatmap({.values = ones({2, 3}), .range = Interval{1, 1}}),
       "range: expected low < high, found 1 and 1"},
      {heatmap({.values = ones({2, 3}), .mask = ones({2, 3})}), "mask: expected boolean, found f32"},
      {heatmap({.values = ones({2, 3}), .mask = ones({2, 2}).to(boolean)}),
       "mask: expected to be broadcast over (2, 3), found (2, 2)"},
      {heatmap({.values = ones({2, 3}), .mask = ones({1, 2, 3}).to(boolean)}),
       "mask: expected to be broadcast"},
      {heatmap({.values = ones({2, 3}), .query_places = ones({3})}),
       "query_places: expected (2,), found (3,)"},
      {heatmap({.values = ones({2, 3}), .key_places = tensor({1, 0, 2})}),
       "key_places: expected numbers that rise, found 0 at 1"},
      {heatmap({.values = ones({2, 3}), .keys = {"a", "b", "c"}, .key_places = arange(3)}),
       "key_places: expected either names or places, found both"},
      {heatmap({.values = ones({2, 3}), .whole = Shape{1, 3}}),
       "whole: expected (Lq, Lk) of at least (2, 3), found (1, 3)"},
      {chart({}), "chart: series: expected at least one, found none"},
      {chart({.series = {{.y = x}}}), "chart: series 0: x: expected (n,), found no tensor"},
      {chart({.series = {{.x = x, .y = ones({3, 1})}}}), "series 0: y: expected (n,), found (3, 1)"},
      {chart({.series = {{.x = x, .y = x}, {.x = x, .y = ones({2})}}}),
       "series 1: y: expected (3,) like x, found (2,)"},
      {chart({.series = {{.x = x, .y = x, .upper = ones({2})}}}),
       "series 0: upper: expected (3,) like x, found (2,)"},
      {chart({.series = {{.x = x, .y = x}}, .x_range = Interval{2, 1}}),
       "x_range: expected low < high, found 2 and 1"},
      {chart({.series = {{.x = x, .y = x}}, .y_range = Interval{0, 1}, .y_scale = Scale::kLog}),
       "y_range: expected low > 0 on a logarithmic scale, found 0"},
      {[&] {
         text(Heatmap{.values = ones({1, 1})}, {.columns = 3});
       },
       "terminal: expected at least 20 x 1, found 3 x 24"},
  });
}

TEST(Description, SaysWhatIsShown) {
  EXPECT_EQ(description(Heatmap{.values = tensor({{0, 0.5}}), .title = "W"}),
            "W: heatmap of 1 × 2 values from 0 to 0.5");
  EXPECT_EQ(description(Heatmap{.values = ones({3, 1, 2})}),
            "heatmaps, 3 panels of 1 × 2 values from 0 to 1");
  EXPECT_EQ(description(Chart{
                .series = {{.name = "a", .x = arange(2), .y = arange(2)}, {.x = arange(2), .y = arange(2)}}}),
            "chart of a, x from 0 to 1, y from 0 to 1");
}

}  // namespace
}  // namespace heed::viz
