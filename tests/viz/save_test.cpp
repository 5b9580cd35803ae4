// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Figures as files: the three formats, what is promised about labels and paths, and a gnuplot that is missing or fails.
#include "support/errors.h"
#include "support/files.h"
#include "support/svg.h"
#include "viz/hostile_labels.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>

namespace heed::viz {
namespace {

using heed::test::expect_error;
using heed::test::expect_errors;
using heed::test::file_bytes;
using heed::test::Folder;
using heed::test::svg_texts;

const Heatmap kWeights{.values = tensor({{0.5, 0.5, 0}, {0.25, 0.25, 0.5}}), .title = "Weights"};
const Chart kLine{.series = {{.name = "y", .x = arange(3), .y = tensor({0, 1, 4})}}};

/// Another PATH, until the end of the scope.
class SearchPath {
 public:
  explicit SearchPath(const std::string& path) : before_(std::getenv("PATH")) {
    ::setenv("PATH", path.c_str(), 1);
  }
  ~SearchPath() { ::setenv("PATH", before_.c_str(), 1); }
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;

 private:
  std::string before_;
};

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

TEST(Save, WritesTheFormatThatThePathEndsIn) {
  const Folder folder;
  for (const Figure& figure : {Figure(kWeights), Figure(kLine)}) {
    save(folder / "x.svg", figure);
    save(folder / "x.png", figure);
    save(folder / "x.pdf", figure);
    EXPECT_EQ(file_bytes(folder / "x.svg").rfind("<?xml", 0), 0u);
    EXPECT_EQ(file_bytes(folder / "x.png").rfind("\x89PNG\r\n", 0), 0u);
    EXPECT_EQ(file_bytes(folder / "x.pdf").rfind("%PDF-", 0), 0u);
  }
}

TEST(Save, TheSameFigureGivesTheSameBytes) { EXPECT_EQ(svg(kWeights), svg(kWeights)); }

TEST(Save, DrawsOneCellForEachNumberInItsColour) {
  const std::string drawn = svg(Heatmap{.values = tensor({{0, 1}, {1, 0}}), .colours = Colours::kBlues});
  // Two pale and two dark cells, apart from the colour bar.
  for (const char* colour : {"rgb(247, 251, 255)", "rgb(  8,  48, 107)"}) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = drawn.find(colour, at)) != std::string::npos; ++at) ++count;
    EXPECT_GE(count, 2u) << colour;
  }
}

TEST(Save, ShowsEveryPartOfAHeatmap) {
  const std::vector<std::string> texts =
      svg_texts(svg(Heatmap{.values = ones({2, 2, 3, 2}),
                            .title = "title",
                            .x_label = "across",
                            .y_label = "down",
                            .panel_titles = {"one", "two", "three", "four"},
                            .queries = {"q0", "q1", "q2"},
                            .keys = {"k0", "k1"}}));
  for (const char* text :
       {"title", "across", "down", "one", "two", "three", "four", "q0", "q1", "q2", "k0", "k1"}) {
    EXPECT_TRUE(contains(texts, text)) << text;
  }
  // Shared axes: names of keys under the last row only, names of queries left of the first column only.
  EXPECT_EQ(std::ranges::count(texts, "k0"), 2);
  EXPECT_EQ(std::ranges::count(texts, "q0"), 2);
}

TEST(Save, ShowsEveryPartOfAChart) {
  const Tensor x = arange(4);
  const std::vector<std::string> texts =
      svg_texts(svg(Chart{.series = {{.name = "band", .x = x, .y = x, .upper = x + 1},
                                     {.name = "dots", .x = x, .y = x, .style = Series::Style::kPoints},
                                     {.name = "line", .x = x, .y = x}},
                          .title = "title",
                          .x_label = "across",
                          .y_label = "up"}));
  for (const char* text : {"title", "across", "up", "band", "dots", "line"})
    EXPECT_TRUE(contains(texts, text)) << text;
}

TEST(Save, LabelsAreData) {
  const Folder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const auto& [raw, shown] : hostile_labels()) {
    const std::string in_title = shown.size() > 90 ? std::string(89, 'x') + "…" : shown;
    const std::vector<std::string> heatmap = svg_texts(svg(Heatmap{.values = ones({1, 1}),
                                                                   .title = raw,
                                                                   .x_label = raw,
                                                                   .y_label = raw,
                                                                   .panel_titles = {raw},
                                                                   .queries = {raw},
                                                                   .keys = {raw}}));
    EXPECT_EQ(std::ranges::count(heatmap, in_title), shown.size() > 24 ? 4 : 6) << shown;
    const std::vector<std::string> chart =
        svg_texts(svg(Chart{.series = {{.name = raw, .x = arange(2), .y = arange(2)}},
                            .title = raw,
                            .x_label = raw,
                            .y_label = raw}));
    EXPECT_EQ(std::ranges::count(chart, in_title), shown.size() > 40 ? 3 : 4) << shown;
  }
  std::filesystem::current_path(before);
  EXPECT_EQ(folder.count(), 0) << "a label was run as a command";
}

TEST(Save, LabelsSurviveInTheOtherFormats) {
  const Folder folder;
  for (const auto& [raw, shown] : hostile_labels()) {
    const Heatmap figure{
        .values = ones({1, 1}), .title = raw, .panel_titles = {raw}, .queries = {raw}, .keys = {raw}};
    EXPECT_NO_THROW(save(folder / "x.png", figure)) << shown;
    EXPECT_NO_THROW(save(folder / "x.pdf", figure)) << shown;
  }
}

TEST(Save, PathsAreData) {
  const Folder folder;
  const std::vector<std::string> names = {
      "a b.svg",         "it's.svg", "\"q\".svg", "`id`.svg", "$HOME.svg", "-o.svg",  "two\nlines.svg",
      "back\\slash.svg", "我.svg",   "🙂.svg",  "%d.svg",   "@x.svg",    "{a}.svg", "; ls.svg"};
  for (const std::string& name : names) {
    save(folder / name, kWeights);
    EXPECT_FALSE(file_bytes(folder / name).empty()) << name;
  }
  EXPECT_EQ(folder.count(), static_cast<int>(names.size()));
}

TEST(Save, NamesWhatIsWrong) {
  const Folder folder;
  expect_errors({
      {[&] { save(folder / "x.jpg", kWeights); }, "x.jpg: expected a path that ends in .svg, .png or .pdf"},
      {[&] { save("", kWeights); }, "expected a path that ends in"},
      {[&] { save(folder / "none/x.svg", kWeights); }, "cannot create a temporary file beside it"},
      {[&] { save(std::string("a\0.svg", 6), kWeights); }, "a path cannot hold a zero byte"},
      {[&] { save(folder / "x.svg", Heatmap{}); }, "heatmap: values"},
      {[&] { save(folder / "x.svg", kWeights, {.width = -1}); },
       "canvas: expected sizes of 0 to 10000, found -1 x 0"},
      {[&] { save(folder / "x.svg", kWeights, {.height = 10001}); }, "found 0 x 10001"},
  });
  EXPECT_EQ(folder.count(), 0) << "something was left behind";
}

TEST(Save, SaysThatGnuplotIsMissing) {
  const Folder folder;
  save(folder / "x.svg", kWeights);
  const std::string before = file_bytes(folder / "x.svg");
  const SearchPath nothing(folder.path());
  expect_error([&] { save(folder / "x.svg", kLine); }, "gnuplot: the program is not installed");
  EXPECT_EQ(file_bytes(folder / "x.svg"), before);
  EXPECT_EQ(folder.count(), 1);
}

TEST(Save, SaysHowGnuplotFailed) {
  const Folder folder;
  const std::string program = folder.file("gnuplot", "#!/bin/sh\necho 'no such terminal' >&2\nexit 3\n");
  ::chmod(program.c_str(), 0755);
  const SearchPath only(folder.path());
  expect_error([&] { svg(kWeights); }, "gnuplot: it failed with code 3: 'no such terminal");
  folder.file("gnuplot", "#!/bin/sh\nexit 0\n");
  expect_error([&] { svg(kWeights); }, "gnuplot: it drew nothing");
  folder.file("gnuplot", "#!/bin/sh\necho '<svg></svg>'; echo 'warning: a panel is left out' >&2\n");
  expect_error([&] { svg(kWeights); }, "gnuplot: it complains: 'warning: a panel is left out");
  folder.file("gnuplot", "#!/bin/sh\nkill -9 $$\n");
  expect_error([&] { svg(kWeights); }, "gnuplot: it failed with code 137");
}

TEST(Save, TakesWhateverNumbersThereAre) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                   kInfinity = std::numeric_limits<double>::infinity();
  const Folder folder;
  for (const Tensor& values :
       {tensor({{kNan}}), tensor({{kInfinity, -kInfinity}}), zeros({1, 1}), full({2, 2}, -3),
        full({2, 2}, 1e300, f64), tensor({{1e-300, 0}}, f64), ones({1, 2000}), ones({700, 700}),
        tensor({{true, false}}), arange(6, i64).reshape({2, 3})}) {
    EXPECT_NO_THROW(save(folder / "x.svg", Heatmap{.values = values})) << values.shape();
    EXPECT_NO_THROW(save(folder / "x.png", Heatmap{.values = values})) << values.shape();
  }
  for (const Tensor& y :
       {tensor({kNan, kNan}), tensor({kInfinity, 1}), zeros({2}), zeros({0}), tensor({1e300, -1e300}, f64)}) {
    EXPECT_NO_THROW(save(folder / "x.svg", Chart{.series = {{.x = arange(y.numel()), .y = y}}})) << y;
    EXPECT_NO_THROW(
        save(folder / "x.svg", Chart{.series = {{.x = arange(y.numel()), .y = y}}, .y_scale = Scale::kLog}))
        << y;
  }
}

TEST(Save, HasTheSizeAskedFor) {
  for (const Figure& figure : {Figure(kWeights), Figure(kLine)}) {
    const std::string drawn = svg(figure, {.width = 500, .height = 300});
    EXPECT_NE(drawn.find("width=\"500\" height=\"300\""), std::string::npos) << drawn.substr(0, 300);
  }
}

TEST(Save, OnAPageInkFollowsTheSchemeOfTheReader) {
  EXPECT_EQ(svg(kWeights).find("prefers-color-scheme"), std::string::npos);
  EXPECT_NE(svg(kWeights, {.background = Background::kPage}).find("prefers-color-scheme"), std::string::npos);
  EXPECT_NE(svg(kWeights).find("<title>Weights: heatmap of 2 × 3 values from 0 to 0.5</title>"),
            std::string::npos);
}

}  // namespace
}  // namespace heed::viz
