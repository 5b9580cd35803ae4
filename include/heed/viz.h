// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Pictures: heatmaps of attention weights, and charts of lines, points and bands. Files (.svg, .png, .pdf) are drawn by
// gnuplot, which must be installed; text for a terminal is drawn here. Labels are data: any bytes may stand in them,
// and what cannot be shown is replaced. docs/pictures.md shows how they look.
#pragma once

#include <heed/export.h>
#include <heed/shape.h>
#include <heed/tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heed::viz {

struct Interval {
  double low = 0;
  double high = 1;
};

/// From light (low) to dark (high); viridis from dark to light, readable with any kind of colour vision and in grey;
/// diverging from blue over white at 0 to red, its range as far below 0 as above.
enum class Colours : std::uint8_t { kReds, kBlues, kViridis, kDiverging };

/// What one cell shows that stands for many numbers.
enum class Pool : std::uint8_t { kMax, kMean };

/// One or more matrices in shades of colour, query down and key across, with one scale for all.
struct Heatmap {
  /// (Lq, Lk): one panel; (n, Lq, Lk): n panels side by side; (rows, columns, Lq, Lk): a grid of them. NaN is grey.
  Tensor values;
  /// Boolean, broadcastable to values: false for pairs that are masked. They are hatched, whatever their value: a weight
  /// that is 0 by chance looks different.
  Tensor mask = {};
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  /// None; one per panel, row by row; or one per column, which then stand above the first row.
  std::vector<std::string> panel_titles = {};
  /// None, or a name for each of the Lq rows and Lk columns: words, for example.
  std::vector<std::string> queries = {};
  std::vector<std::string> keys = {};
  /// None, or (Lq,) and (Lk,) numbers that rise: what rows and columns stand for, such as the x of data. The axes then
  /// count in them.
  Tensor query_places = {};
  Tensor key_places = {};
  /// Without: diverging where there are numbers of both signs, else reds.
  std::optional<Colours> colours = std::nullopt;
  /// What the ends of the colour scale stand for. Without: the least and the largest value, or from 0 on where the
  /// least is positive but less than half the largest.
  std::optional<Interval> range = std::nullopt;
  /// For matrices that are larger than the picture. Without: the mean where some numbers are negative, else the largest.
  std::optional<Pool> pool = std::nullopt;
  /// (Lq, Lk) of the matrix that downsample() made values of; the axes then count its rows and columns.
  std::optional<Shape> whole = std::nullopt;
  /// Numbers are written into cells of files where all of them fit.
  bool numbers_in_cells = true;
};

struct Series {
  enum class Style : std::uint8_t { kLine, kDashes, kPoints };

  std::string name = {};  ///< in the legend; an empty one is not
  Tensor x = {};          ///< (n,)
  Tensor y = {};          ///< (n,); NaN leaves a gap, and what stands alone between two gaps is a dot
  /// (n,): fills from y up to here, a band.
  Tensor upper = {};
  Style style = Style::kLine;
};

enum class Scale : std::uint8_t { kLinear, kLog };

/// Lines, points and bands on one pair of axes. Lines cover bands and points cover lines; of the same kind, later series
/// cover earlier ones.
struct Chart {
  std::vector<Series> series;
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  std::optional<Interval> x_range = std::nullopt;
  std::optional<Interval> y_range = std::nullopt;
  Scale y_scale = Scale::kLinear;
};

using Figure = std::variant<Heatmap, Chart>;

enum class Background : std::uint8_t {
  kWhite,
  kPage,  ///< none; in SVG, ink follows the light or dark scheme of whoever looks at it
};

struct Canvas {
  /// In pixels (points in PDF); 0 picks a size that suits the figure. PNG has two pixels for each, for sharp screens.
  int width = 0;
  int height = 0;
  Background background = Background::kWhite;
};

/// Draws the figure to a .svg, .png or .pdf file, which is replaced in one step.
HEED_API void save(const std::string& path, const Figure& figure, const Canvas& canvas = {});

/// The figure as an SVG document.
HEED_API std::string svg(const Figure& figure, const Canvas& canvas = {});

/// What the ends of the heatmap's colour scale stand for, by its `range` or, without one, by its values.
HEED_API Interval colour_range(const Heatmap& heatmap);

/// The colours it is drawn in: its `colours` or, without them, those that suit its values.
HEED_API Colours colour_map(const Heatmap& heatmap);

/// What the figure shows, in a sentence: for readers who do not see it.
HEED_API std::string description(const Figure& figure);

// --- text ---

/// What cells of a heatmap and lines of a chart are told apart by.
enum class Ink : std::uint8_t {
  kDigits,  ///< 0 to 9; nothing but ASCII is added
  kShades,  ///< ░▒▓█
  k256,     ///< terminal colours from the palette of 256
  kTrueColour,
};

struct Terminal {
  int columns = 80;
  int rows = 24;
  Ink ink = Ink::kShades;
  bool utf8 = true;          ///< characters beyond ASCII can be shown
  bool interactive = false;  ///< somebody looks at it: what was written may be written over
};

/// What file descriptor `fd` leads to. Colours only on a terminal that has them, and not with NO_COLOR set or
/// TERM=dumb; a pipe or file takes 80 columns of plain text.
HEED_API Terminal terminal(int fd);

/// The figure in characters, at most `columns` wide, every line ended by a line break. Matrices that do not fit are
/// down-sampled, and the text says so.
HEED_API std::string text(const Figure& figure, const Terminal& terminal = {});

/// How many columns of a terminal the text takes: 2 for a Chinese character, 0 for a combining one.
HEED_API int display_width(std::string_view text);

/// One line of text as lines of at most so many columns, each ended by a line break: broken at blanks, or within words
/// that are longer than a line. The later lines begin with as many blanks as the first.
HEED_API std::string wrapped(std::string_view text, int columns);

// --- matrices too large to draw, or to hold ---

struct DownsampleOptions {
  std::int64_t height = 512;  ///< of the result, at most
  std::int64_t width = 512;
  Pool pool = Pool::kMax;
  /// How many numbers of the matrix are asked for at once, but always at least one row.
  std::int64_t block = std::int64_t{1} << 22;
};

/// Rows first to first + count - 1 of a matrix: (count, Lk).
using RowSource = std::function<Tensor(std::int64_t first, std::int64_t count)>;

/// A picture of a (Lq, Lk) matrix that is never held as a whole: each cell is the largest or mean of the rectangle it
/// stands for. `rows` is called in order, for each row once. NaN makes its cell NaN. f64, (≤ height, ≤ width).
HEED_API Tensor downsample(const Shape& shape, const RowSource& rows, const DownsampleOptions& options = {});
/// The same of a matrix that is at hand.
HEED_API Tensor downsample(const Tensor& matrix, const DownsampleOptions& options = {});

}  // namespace heed::viz
