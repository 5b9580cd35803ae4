// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Figures to files: one script, one terminal of gnuplot for each format.
#include "core/check.h"
#include "core/quote.h"
#include "core/replacement.h"
#include "viz/gnuplot.h"
#include "viz/layout.h"
#include "viz/script.h"

#include <heed/viz.h>

#include <span>

namespace heed::viz {
namespace {

enum class Format : std::uint8_t { kSvg, kPng, kPdf };

constexpr int kLargestCanvas = 10000;
// Shows Chinese too; fontconfig finds another where it is missing. In SVG the reader's own fonts do.
constexpr const char* kFont = "WenQuanYi Micro Hei";

Format format_of(const std::string& path) {
  if (path.ends_with(".svg")) return Format::kSvg;
  if (path.ends_with(".png")) return Format::kPng;
  check(path.ends_with(".pdf"), "save", "{}: expected a path that ends in .svg, .png or .pdf",
        printable(path));
  return Format::kPdf;
}

void check_canvas(const Canvas& canvas) {
  for (const int size : {canvas.width, canvas.height}) {
    check(size >= 0 && size <= kLargestCanvas, "save", "canvas: expected sizes of 0 to {}, found {} x {}",
          kLargestCanvas, canvas.width, canvas.height);
  }
}

std::string set_terminal(Format format, const Script& script, const Canvas& canvas) {
  const bool white = canvas.background == Background::kWhite;
  switch (format) {
    case Format::kSvg:
      return fmt::format(
          "set terminal svg noenhanced size {:.0f},{:.0f} fixed standalone font 'sans-serif,{}'{}\n",
          script.width, script.height, kFontSize, white ? " background rgb '#ffffff'" : "");
    case Format::kPng:
      return fmt::format(
          "set terminal pngcairo noenhanced size {:.0f},{:.0f} font '{},{}' fontscale 1.5 linewidth 2 "
          "pointscale 2 {}\n",
          2 * script.width, 2 * script.height, kFont, kFontSize, white ? "" : "transparent");
    case Format::kPdf:
      return fmt::format(
          "set terminal pdfcairo noenhanced size {:.4f}in,{:.4f}in font '{},{}' fontscale 0.75 linewidth 1.4 "
          "{}\n",
          script.width / 72, script.height / 72, kFont, kFontSize, white ? "" : "transparent");
  }
  return {};
}

std::string drawn(Format format, const Figure& figure, const Canvas& canvas) {
  check_canvas(canvas);
  const auto* heatmap = std::get_if<Heatmap>(&figure);
  const CellStyle style = format == Format::kPng ? CellStyle::kImage : CellStyle::kShapes;
  const Script script =
      heatmap != nullptr ? script_of(*heatmap, canvas, style) : script_of(std::get<Chart>(figure), canvas);
  return gnuplot("set encoding utf8\n" + set_terminal(format, script, canvas) + script.commands);
}

std::string escaped_for_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      default: out += c;
    }
  }
  return out;
}

// Cells have edges, also when the picture is enlarged.
constexpr std::string_view kSharpCells = "<style>image { image-rendering: pixelated }</style>\n";
// gnuplot writes black ink as these attributes, which a style outranks.
constexpr std::string_view kFollowsScheme =
    "<style>@media (prefers-color-scheme: dark) { [color=black] { color: #ddd } [fill=black] { fill: #ddd } "
    "[stroke=black] { stroke: #ddd } }</style>\n";

/// In the place of gnuplot's own title, which says nothing about the picture.
void entitle(std::string& svg, const Figure& figure, const Canvas& canvas) {
  constexpr std::string_view kTitle = "<title>Gnuplot</title>\n";
  const std::size_t place = svg.find(kTitle);
  if (place == std::string::npos) return;
  svg.replace(place, kTitle.size(),
              fmt::format("<title>{}</title>\n{}{}", escaped_for_xml(description(figure)), kSharpCells,
                          canvas.background == Background::kPage ? kFollowsScheme : ""));
}

/// gnuplot escapes all of a text but this, which XML allows nowhere outside of sections that gnuplot does not write.
void escape_section_ends(std::string& svg) {
  constexpr std::string_view kEnd = "]]>", kEscaped = "]]&gt;";
  for (std::size_t at = 0; (at = svg.find(kEnd, at)) != std::string::npos; at += kEscaped.size()) {
    svg.replace(at, kEnd.size(), kEscaped);
  }
}

}  // namespace

std::string svg(const Figure& figure, const Canvas& canvas) {
  std::string document = drawn(Format::kSvg, figure, canvas);
  escape_section_ends(document);
  entitle(document, figure, canvas);
  return document;
}

void save(const std::string& path, const Figure& figure, const Canvas& canvas) {
  const Format format = format_of(path);
  // Opened first: drawing takes a while, and a path that cannot be written should not wait for it.
  Replacement file(path);
  const std::string picture = format == Format::kSvg ? svg(figure, canvas) : drawn(format, figure, canvas);
  file.write(std::as_bytes(std::span(picture)));
  file.commit();
}

}  // namespace heed::viz
