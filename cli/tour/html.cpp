// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "html.h"

#include "html_style.h"
#include "listing.h"
#include "math_ml.h"

#include <heed/version.h>

#include <algorithm>

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

/// Panels that stand side by side, below one another for a screen that is not wide: two in a row, or one.
viz::Heatmap narrowed(viz::Heatmap map) {
  const std::int64_t rank = map.values.rank();
  const std::int64_t across = rank < 3 ? 1 : map.values.size(rank - 3),
                     down = rank < 4 ? 1 : map.values.size(0);
  if (across <= 2) return map;
  const std::int64_t count = across * down, in_a_row = count % 2 == 0 ? 2 : 1;
  const Shape grid = {count / in_a_row, in_a_row, map.values.size(rank - 2), map.values.size(rank - 1)};
  if (map.mask.defined()) map.mask = map.mask.expand(map.values.shape()).contiguous().reshape(grid);
  map.values = map.values.contiguous().reshape(grid);
  if (static_cast<std::int64_t>(map.panel_titles.size()) < count) {
    const std::vector<std::string> of_columns = map.panel_titles;
    for (std::int64_t row = 1; row < down; ++row)
      map.panel_titles.insert(map.panel_titles.end(), of_columns.begin(), of_columns.end());
  }
  return map;
}

/// As an image of its own: nothing in it can reach the page, and its ink follows the scheme of the reader.
std::string image_source(const viz::Figure& figure, const viz::Canvas& canvas) {
  return "data:image/svg+xml;base64," + base64(viz::svg(figure, canvas));
}

/// The same figure for phones, for pages and for wide screens: drawn anew, so that its text keeps its size.
std::string image(viz::Figure figure) {
  constexpr int kPhone = 312, kPage = 640, kWide = 1000;
  const auto canvas = [](int width, int height) {
    return viz::Canvas{.width = width, .height = height, .background = viz::Background::kPage};
  };
  const std::string alt = escaped_for_html(viz::description(figure));
  viz::Figure narrow = figure;
  viz::Canvas page = canvas(kPage, 340), wide = canvas(kWide, 440), phone = canvas(kPhone, 260);
  if (auto* map = std::get_if<viz::Heatmap>(&figure)) {
    map->title.clear();  // it stands in the caption
    narrow = narrowed(*map);
    page = canvas(0, 0);
    const int natural = std::stoi(std::string(attribute(viz::svg(figure, page), "width")));
    if (natural > kPage) page.width = kPage;
    wide.height = phone.height = 0;
    wide.width = std::min(natural * 3 / 2, kWide);
    phone.width = std::min(natural, kPhone);
  } else {
    std::get<viz::Chart>(figure).title.clear();
    narrow = figure;
  }
  const std::string drawn = viz::svg(figure, page);
  return fmt::format(
      "<picture><source media=\"(max-width: 700px)\" srcset=\"{}\"><source media=\"(min-width: 1200px)\" "
      "srcset=\"{}\"><img width=\"{}\" height=\"{}\" alt=\"{}\" "
      "src=\"data:image/svg+xml;base64,{}\"></picture>",
      image_source(narrow, phone), image_source(figure, wide), attribute(drawn, "width"),
      attribute(drawn, "height"), alt, base64(drawn));
}

std::string title_of(const viz::Figure& figure) {
  return std::visit([](const auto& f) { return f.title; }, figure);
}

/// One part of a page as HTML.
struct ToHtml {
  std::string operator()(const Question& question) const {
    return fmt::format("<p class=\"question\">{}</p>\n", escaped_for_html(question.text));
  }
  std::string operator()(const Formula& formula) const {
    return fmt::format("<p class=\"formula\">{}</p>\n", math_ml(formula.text));
  }
  std::string operator()(const Note& note) const {
    return fmt::format("<p>{}</p>\n", escaped_for_html(note.text));
  }
  std::string operator()(const Output& output) const {
    return fmt::format("<pre class=\"output\">{}</pre>\n", text_of(output.text));
  }
  std::string operator()(const Picture& picture) const {
    const std::string title = title_of(picture.figure);
    return fmt::format(
        "<figure>{}{}</figure>\n", image(picture.figure),
        title.empty() ? "" : fmt::format("<figcaption>{}</figcaption>", escaped_for_html(title)));
  }
  std::string operator()(const Lesson& lesson) const {
    return fmt::format("<p class=\"lesson\">{}</p>\n", escaped_for_html(lesson.text));
  }
  std::string operator()(const Reading& reading) const {
    return fmt::format("<p class=\"reading\"><a href=\"{}\">{}</a></p>\n", escaped_for_html(reading.url),
                       escaped_for_html(reading.text));
  }
};

/// With the seed that made the page.
std::string seeded(std::string_view program, std::uint64_t seed) {
  std::string text(program);
  for (const std::string_view zero : {"(0)); }", "seed(0)"}) {
    const std::size_t at = text.find(zero);
    if (at != std::string::npos) text.replace(at + zero.find('0'), 1, std::to_string(seed));
  }
  return text;
}

std::string code(std::string_view heading, std::string_view program, std::uint64_t seed) {
  return fmt::format("<div><h3>{}</h3>\n<pre class=\"code\"><code>{}</code></pre></div>\n", heading,
                     text_of(seeded(program, seed)));
}

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
  out += "<div class=\"programs\">\n" + code("In C++", cpp_program(experiment.program), seed) +
         code("In Python", python_program(experiment.program), seed) + "</div>\n</section>\n";
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
      "written, by the program in C++ that stands below it; the one in Python prints the same. Each begins "
      "with a "
      "question: guess first.</p>\n",
      kStyle, chapters.size(), heed::version());
  out += fmt::format("<p class=\"formula\">{}</p>\n", math_ml("f(q) = Σᵢ softmaxᵢ( a(q, kᵢ) ) vᵢ"));
  if (chapters.size() > 1) out += contents(chapters);
  out += "</header>\n<main>\n";
  std::size_t number = 0;
  for (const Chapter& chapter : chapters) out += section(chapter, ++number, seed);
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace heed::tour
