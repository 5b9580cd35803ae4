// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What is really to be seen, counted: cells and marks of every kind of picture at odd sizes, in files and in characters.
#include "support/files.h"
#include "support/pixels.h"
#include "support/svg.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <algorithm>
#include <limits>

namespace heed::viz {
namespace {

using heed::test::Colour;
using heed::test::count_of_patches;
using heed::test::Folder;
using heed::test::patches;
using heed::test::Pixels;
using heed::test::pixels_of;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kFormats[] = {"svg", "png", "pdf"};
// The ends of the reds, and a place without a number.
constexpr Colour kPale = {255, 245, 240}, kDark = {103, 0, 13}, kGrey = {176, 176, 176};
// Of the first series; the band over white.
constexpr Colour kFirst = {0, 114, 178}, kFirstBand = {191, 220, 236};

Pixels seen(const Figure& figure, const std::string& format, const Canvas& canvas = {}) {
  const Folder folder;
  save(folder / ("x." + format), figure, canvas);
  return pixels_of(folder / ("x." + format));
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

/// 0 and 1 by turns, in every direction.
Tensor chequered(const Shape& shape) {
  std::vector<double> values;
  const std::int64_t width = shape[shape.rank() - 1], height = shape[shape.rank() - 2];
  for (std::int64_t i = 0; i < shape.numel(); ++i) {
    const std::int64_t column = i % width, row = i / width % height;
    values.push_back(static_cast<double>((row + column) % 2));
  }
  return from_vector(values, shape);
}

const std::vector<Shape> kOddShapes = {{1, 1},    {1, 2},       {2, 1},      {1, 3},  {10, 1},
                                       {1, 17},   {3, 2},       {5, 7},      {13, 1}, {2, 1, 5},
                                       {3, 1, 1}, {2, 3, 4, 1}, {2, 1, 1, 3}};

TEST(Drawn, EveryCellOfAHeatmap) {
  for (const char* format : kFormats) {
    for (const Shape& shape : kOddShapes) {
      const Tensor values = chequered(shape);
      const int dark = static_cast<int>(sum(values).item());
      const Pixels pixels =
          seen(Heatmap{.values = values, .range = Interval{0, 1}, .numbers_in_cells = false}, format);
      EXPECT_EQ(count_of_patches(pixels, kPale, 2), shape.numel() - dark) << format << shape;
      if (dark > 0) {
        EXPECT_EQ(count_of_patches(pixels, kDark, 2), dark) << format << shape;
      }
    }
  }
}

TEST(Drawn, EveryRowOfALongHeatmap) {
  for (const char* format : kFormats) {
    for (const Shape& shape : {Shape{1, 2000}, Shape{700, 1}, Shape{1300, 1300}}) {
      const std::vector<int> dark = patches(seen(Heatmap{.values = ones(shape)}, format), kDark, 2);
      ASSERT_FALSE(dark.empty()) << format << shape;
      EXPECT_GE(dark.front(), 76 * 152) << format << shape;
    }
  }
}

TEST(Drawn, PlacesWithoutANumber) {
  for (const char* format : kFormats) {
    for (const Tensor& values : {tensor({{1, kNan, 1}}), tensor({{1}, {kNan}, {1}})}) {
      const Pixels pixels = seen(Heatmap{.values = values, .numbers_in_cells = false}, format);
      EXPECT_EQ(count_of_patches(pixels, kDark, 2), 2) << format << values.shape();
      EXPECT_EQ(count_of_patches(pixels, kGrey, 2), 1) << format << values.shape();
    }
    EXPECT_EQ(count_of_patches(seen(Heatmap{.values = tensor({{kNan}})}, format), kGrey, 2), 1) << format;
  }
}

TEST(Drawn, MaskedCellsAreHatchedAndNotPale) {
  const Tensor weights = tensor({{0, 1, 0}, {0.5, 0, 0.5}}),
               mask = tensor({{true, true, false}, {true, true, true}});
  for (const char* format : kFormats) {
    const Pixels with = seen(Heatmap{.values = weights, .mask = mask, .numbers_in_cells = false}, format),
                 without = seen(Heatmap{.values = weights, .numbers_in_cells = false}, format);
    EXPECT_EQ(count_of_patches(without, kPale, 2), 3) << format;
    EXPECT_EQ(count_of_patches(with, kPale, 2), 2) << format;
    // Stripes: many patches of grey where one cell was.
    EXPECT_GE(patches(with, kGrey, 40).size(), 5u) << format;
    // Nothing but the end of the scale is pale where all is masked.
    const std::vector<int> pale =
        patches(seen(Heatmap{.values = weights, .mask = zeros({1, 3}).to(boolean)}, format), kPale, 2);
    EXPECT_LT(pale.empty() ? 0 : pale.front(), 500) << format;
  }
}

TEST(Drawn, WhatLiesUnderAMaskDoesNotShow) {
  const Tensor mask = tensor({{true, false}, {true, true}});
  const auto drawn = [&](double hidden) {
    return svg(Heatmap{.values = tensor({{0.25, hidden}, {0.5, 1}}, f64), .mask = mask});
  };
  EXPECT_EQ(drawn(0), drawn(1e200));
  EXPECT_EQ(drawn(0), drawn(kNan));
  EXPECT_EQ(drawn(0), drawn(-7));
  // Nor where cells stand for several pairs, by their largest or their mean.
  for (const Pool pool : {Pool::kMax, Pool::kMean}) {
    const Tensor many = full({2, 1000}, -0.5, f64), odd = arange(1000, i64) == 3;
    const Tensor hidden = full({2, 1000}, 0.75, f64);
    const auto text_of = [&](const Tensor& under) {
      const Tensor values = from_vector(
          [&] {
            std::vector<double> all = many.to_vector();
            all[3] = all[1003] = under.to_vector()[3];
            return all;
          }(),
          {2, 1000});
      return text(Heatmap{.values = values, .mask = odd == false, .range = Interval{-1, 1}, .pool = pool});
    };
    EXPECT_EQ(text_of(many), text_of(hidden));
  }
}

TEST(Drawn, NumbersStandInCellsWhereTheyFit) {
  const auto texts = [](const Heatmap& heatmap, const Canvas& canvas = {}) {
    return heed::test::svg_texts(svg(heatmap, canvas));
  };
  const auto has = [](const std::vector<std::string>& all, const std::string& one) {
    return std::ranges::find(all, one) != all.end();
  };
  const Tensor weights = tensor({{0.25, 0.75}, {0, 1}});
  for (const char* number : {"0.25", "0.75", "0", "1.00"})
    EXPECT_TRUE(has(texts({.values = weights}), number)) << number;
  EXPECT_FALSE(has(texts({.values = weights, .numbers_in_cells = false}), "0.25"));
  EXPECT_FALSE(has(texts({.values = weights}, {90, 90}), "0.25"));
  EXPECT_FALSE(has(texts({.values = weights, .mask = tensor({{false, true}, {true, true}})}), "0.25"));
  EXPECT_TRUE(has(texts({.values = arange(6, i64).reshape({2, 3}) * 100}), "500"));
  EXPECT_FALSE(has(texts({.values = full({60, 60}, 0.37)}), "0.37"));
}

TEST(Drawn, AxesCountInWhatRowsAndColumnsStandFor) {
  const Tensor x = tensor({0.1, 0.2, 1.2, 1.9, 3.1, 3.9, 4.9});
  const Heatmap heatmap{.values = eye(7), .query_places = x, .key_places = x, .numbers_in_cells = false};
  const std::vector<std::string> found = heed::test::svg_texts(svg(heatmap));
  for (const char* tick : {"1", "2", "3", "4"}) EXPECT_EQ(std::ranges::count(found, tick), 2) << tick;
  EXPECT_EQ(std::ranges::count(found, "6"), 0);
  EXPECT_NE(text(heatmap).find("  4.9 "), std::string::npos) << text(heatmap);
  // Of one row alone there is nothing to count.
  EXPECT_NO_THROW(
      svg(Heatmap{.values = ones({1, 1}), .query_places = tensor({2}), .key_places = tensor({3})}));
}

// Two alone, one run of three, and one alone at the end.
const Tensor kWithGaps = tensor({1, kNan, 2, kNan, kNan, 3, 3.5, 3, kNan, 1});

TEST(Drawn, EveryPieceOfALine) {
  const Chart line{.series = {{.x = arange(10), .y = kWithGaps}}},
      points{.series = {{.x = arange(10), .y = kWithGaps, .style = Series::Style::kPoints}}};
  for (const char* format : kFormats) {
    for (const Canvas& canvas : {Canvas{}, Canvas{200, 150}, Canvas{1001, 203}}) {
      EXPECT_EQ(patches(seen(line, format, canvas), kFirst, 60).size(), 4u) << format << canvas.width;
      EXPECT_EQ(count_of_patches(seen(points, format, canvas), kFirst, 60), 6) << format << canvas.width;
    }
  }
}

TEST(Drawn, APlaceAloneIsALineABandAndAMark) {
  const Tensor one = tensor({2});
  for (const char* format : kFormats) {
    for (const Series& series :
         {Series{.x = one, .y = one}, Series{.x = one, .y = one, .style = Series::Style::kPoints},
          Series{.x = one, .y = one, .style = Series::Style::kDashes}}) {
      EXPECT_EQ(patches(seen(Chart{.series = {series}}, format), kFirst, 60).size(), 1u) << format;
    }
    EXPECT_GE(patches(seen(Chart{.series = {{.x = one, .y = one, .upper = one + 1}}}, format), kFirstBand, 4)
                  .size(),
              1u);
  }
}

TEST(Drawn, EveryPieceOfABand) {
  const Chart chart{.series = {{.x = arange(10), .y = kWithGaps, .upper = kWithGaps + 2}}};
  for (const char* format : kFormats) {
    // The lines of the grid cut a band in pieces, all of them above one another.
    const Pixels pixels = seen(chart, format);
    std::vector<bool> columns(static_cast<std::size_t>(pixels.width));
    for (int x = 0; x < pixels.width; ++x) {
      for (int y = 0; y < pixels.height && !columns[static_cast<std::size_t>(x)]; ++y) {
        const Colour c = pixels.at(x, y);
        columns[static_cast<std::size_t>(x)] = std::abs(c.red - kFirstBand.red) < 8 &&
                                               std::abs(c.green - kFirstBand.green) < 8 &&
                                               std::abs(c.blue - kFirstBand.blue) < 8;
      }
    }
    int pieces = columns.front() ? 1 : 0;
    for (std::size_t x = 1; x < columns.size(); ++x) pieces += columns[x] && !columns[x - 1] ? 1 : 0;
    EXPECT_EQ(pieces, 4) << format;
  }
}

/// Seven points, and a curve through all of them that comes later.
Chart fitted() {
  const Tensor x = arange(7), y = tensor({1, 3, 2, 4, 6, 5, 7});
  return {.series = {{.name = "data", .x = x, .y = y, .style = Series::Style::kPoints},
                     {.name = "fitted", .x = x, .y = y}}};
}

TEST(Drawn, PointsLieOnTheCurveAndNotUnderIt) {
  Chart chart = fitted();
  for (Series& series : chart.series) series.name.clear();
  for (const char* format : kFormats)
    EXPECT_EQ(count_of_patches(seen(chart, format), kFirst, 30), 7) << format;
  const std::string drawn = text(fitted(), {.ink = Ink::kDigits});
  EXPECT_EQ(count(drawn, "o"), 7 + 1) << drawn;  // and in the legend
}

TEST(Drawn, NamesOfSeriesStandInSmallPicturesToo) {
  const Tensor x = arange(3);
  const Chart chart{.series = {{.name = "a band of errors", .x = x, .y = x, .upper = x + 1},
                               {.name = "points", .x = x, .y = x, .style = Series::Style::kPoints},
                               {.name = "a line that is fitted", .x = x, .y = x},
                               {.name = "the truth", .x = x, .y = x, .style = Series::Style::kDashes}},
                    .x_label = "x",
                    .y_label = "y"};
  for (const Canvas& canvas :
       {Canvas{}, Canvas{312, 260}, Canvas{200, 200}, Canvas{120, 120}, Canvas{10, 10}}) {
    const std::vector<std::string> texts = heed::test::svg_texts(svg(chart, canvas));
    EXPECT_EQ(std::ranges::count(texts, "points"), 1) << canvas.width;
    for (const char* format : kFormats) EXPECT_NO_THROW(seen(chart, format, canvas)) << canvas.width;
  }
}

TEST(Drawn, LinesBetweenPlacesOutsideCrossThePicture) {
  const Chart chart{.series = {{.x = tensor({0, 1}), .y = tensor({-5, 5})}}, .y_range = Interval{-1, 1}};
  for (const char* format : kFormats)
    EXPECT_EQ(patches(seen(chart, format), kFirst, 60).size(), 1u) << format;
}

TEST(Drawn, PlacesFarFromZeroStayApart) {
  const Chart chart{
      .series = {{.x = arange(9, f64) + 1.7e9, .y = arange(9, f64), .style = Series::Style::kPoints}}};
  for (const char* format : kFormats)
    EXPECT_EQ(count_of_patches(seen(chart, format), kFirst, 30), 9) << format;
}

TEST(Drawn, EveryCellInCharacters) {
  for (const Shape& shape : kOddShapes) {
    const Tensor values = chequered(shape);
    const int dark = static_cast<int>(sum(values).item());
    const Heatmap heatmap{.values = values, .x_label = "x", .range = Interval{0, 1}};
    // Two columns to a cell, and two of the scale.
    EXPECT_EQ(count(text(heatmap), "█"), 2 * dark + 2) << text(heatmap);
    EXPECT_EQ(count(text(heatmap, {.ink = Ink::kTrueColour}), "\x1b[48;2;103;0;13m"), dark + 1);
    const std::string digits = text(heatmap, {.ink = Ink::kDigits});
    EXPECT_EQ(count(digits, "9"),
              dark + count(text(Heatmap{.values = zeros(shape), .x_label = "x"}, {.ink = Ink::kDigits}), "9"))
        << digits;
  }
}

TEST(Drawn, EveryPieceInCharacters) {
  const Terminal plain{.columns = 60, .rows = 24, .ink = Ink::kDigits};
  const std::string line = text(Chart{.series = {{.x = arange(10), .y = kWithGaps}}}, plain);
  EXPECT_GE(count(line, "#"), 6) << line;
  const std::string points =
      text(Chart{.series = {{.x = arange(10), .y = kWithGaps, .style = Series::Style::kPoints}}}, plain);
  EXPECT_EQ(count(points, "o"), 6) << points;
  const Tensor one = tensor({2});
  const std::string band = text(Chart{.series = {{.x = one, .y = one, .upper = one + 1}}}, plain);
  EXPECT_GE(count(band, ":"), 2) << band;
}

}  // namespace
}  // namespace heed::viz
