// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "html.h"

#include "html_style.h"
#include "listing.h"
#include "math_ml.h"

#include <heed/version.h>

namespace heed::tour {
namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? kDigits[group >> (18U - 6U * k) & 63U] : '=';
    }
  }
  return out;
}

/// The value of an attribute of the first tag that has it: of the <svg> itself, for its sizes.
std::string_view attribute(std::string_view document, std::string_view name) {
  const std::string start = fmt::format("{}=\"", name);
  const std::size_t begin = document.find(start) + start.size();
  return document.substr(begin, document.find('"', begin) - begin);
}

std::string text_of(std::string_view text) {
  const std::size_t begin = text.find_first_not_of('\n');
  return begin == std::string_view::npos
             ? ""
             : escaped_for_html(text.substr(begin, text.find_last_not_of('\n') + 1 - begin));
}

/// One part of a page as HTML.
struct ToHtml {
  std::string operator()(const Formula& formula) const {
    return fmt::format("<p class=\"formula\">{}</p>\n", math_ml(formula.text));
  }
  std::string operator()(const Lines& lines) const {
    return fmt::format("<pre>{}</pre>\n", text_of(lines.text));
  }
  std::string operator()(const Note& note) const {
    return fmt::format("<p>{}</p>\n", escaped_for_html(note.text));
  }
  std::string operator()(const Lesson& lesson) const {
    return fmt::format("<p class=\"lesson\">{}</p>\n", escaped_for_html(lesson.text));
  }
  /// As an image of its own: nothing in it can reach the page, and its ink follows the scheme of the reader.
  std::string operator()(const Picture& picture) const {
    // Charts are drawn small, so that their labels can be read on a phone; what is wider than that is scrolled there.
    viz::Canvas canvas{.background = viz::Background::kPage};
    if (std::holds_alternative<viz::Chart>(picture.figure)) {
      canvas.width = 520;
      canvas.height = 310;
    }
    const std::string drawn = viz::svg(picture.figure, canvas);
    return fmt::format(
        "<figure><img style=\"min-width: {:.0f}px\" width=\"{}\" height=\"{}\" alt=\"{}\" "
        "src=\"data:image/svg+xml;base64,{}\"></figure>\n",
        0.62 * std::stod(std::string(attribute(drawn, "width"))), attribute(drawn, "width"),
        attribute(drawn, "height"), escaped_for_html(viz::description(picture.figure)), base64(drawn));
  }
  std::string operator()(const Grid& grid) const {
    std::string out = "<div class=\"numbers\">\n";
    if (!grid.label.empty()) out += fmt::format("<p>{}</p>\n", escaped_for_html(grid.label));
    out += "<table>\n";
    if (!grid.columns.empty()) {
      out += "<tr><td></td>";
      for (const std::string& name : grid.columns)
        out += fmt::format("<th scope=\"col\">{}</th>", escaped_for_html(name));
      out += "</tr>\n";
    }
    for (std::size_t i = 0; i < grid.cells.size(); ++i) {
      out += "<tr>";
      if (!grid.rows.empty()) out += fmt::format("<th scope=\"row\">{}</th>", escaped_for_html(grid.rows[i]));
      for (const std::string& cell : grid.cells[i]) out += fmt::format("<td>{}</td>", escaped_for_html(cell));
      out += "</tr>\n";
    }
    return out + "</table></div>\n";
  }
};

std::string contents(const std::vector<Chapter>& chapters) {
  std::string out = "<nav aria-label=\"Experiments\"><ol>\n";
  for (const Chapter& chapter : chapters) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escaped_for_html(chapter.experiment.name),
                       escaped_for_html(chapter.experiment.title));
  }
  return out + "</ol></nav>\n";
}

std::string section(const Chapter& chapter, std::size_t number, std::uint64_t seed) {
  const Experiment& experiment = chapter.experiment;
  std::string out = fmt::format("<section id=\"{}\">\n<h2>{}. {}</h2>\n", escaped_for_html(experiment.name),
                                number, escaped_for_html(experiment.title));
  for (const Part& part : chapter.page.parts()) out += std::visit(ToHtml(), part);
  out += fmt::format("<h3>By command</h3>\n<pre class=\"code\"><code>heed tour --only {}{}</code></pre>\n",
                     escaped_for_html(experiment.name), seed == 0 ? "" : fmt::format(" --seed {}", seed));
  out += fmt::format("<h3>In C++</h3>\n<pre class=\"code\"><code>{}</code></pre>\n</section>\n",
                     text_of(listing(experiment.function)));
  return out;
}

}  // namespace

std::string html(const std::vector<Chapter>& chapters, std::uint64_t seed) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>A tour of attention</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>{}</style>\n</head>\n<body>\n"
      "<header>\n<h1>A tour of attention</h1>\n"
      "<p>{} experiments with one idea: <strong>attention is an average</strong> of values, weighted by how "
      "well a query "
      "fits each key. Every number and picture here was computed by heed {} just before this page was "
      "written, "
      "by the lines of C++ that stand below it.</p>\n",
      kStyle, chapters.size(), heed::version());
  out += fmt::format("<p class=\"formula\">{}</p>\n", math_ml("f(q) = Σᵢ softmaxᵢ( a(q, kᵢ) ) vᵢ"));
  if (chapters.size() > 1) out += contents(chapters);
  out += "</header>\n<main>\n";
  std::size_t number = 0;
  for (const Chapter& chapter : chapters) out += section(chapter, ++number, seed);
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace heed::tour
