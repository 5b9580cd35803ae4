// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What an experiment shows: a formula, its numbers and pictures, one thing to see in them. Put together once; text for a
// terminal and HTML come from the same parts.
#pragma once

#include <heed/heed.h>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heed::tour {

/// Numbers under their label, with a name for every row and column or for none.
struct Grid {
  std::string label;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<std::string>> cells;
};

struct Formula {
  std::string text;  ///< on one line, as math_ml() reads it
};

/// Lines as they are, their alignment kept.
struct Lines {
  std::string text;
};

/// A sentence.
struct Note {
  std::string text;
};

struct Picture {
  viz::Figure figure;
};

/// What to see in all this.
struct Lesson {
  std::string text;
};

using Part = std::variant<Formula, Lines, Note, Grid, Picture, Lesson>;

class Page {
 public:
  void formula(std::string_view text) { add(Formula{std::string(text)}); }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    add_lines(fmt::format(format, std::forward<Args>(args)...));
  }

  template <class... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) {
    add(Note{fmt::format(format, std::forward<Args>(args)...)});
  }

  /// Some lines at once.
  void block(std::string_view text) { add_lines(std::string(text)); }

  /// A tensor of one or two dimensions under its label, right-aligned.
  void numbers(std::string_view label, const Tensor& x, int decimals = 4);

  /// The same with a name for every row and every column.
  struct Labels {
    std::vector<std::string> rows;
    std::vector<std::string> columns;
  };
  void table(const Labels& labels, const Tensor& x, int decimals = 4);

  void picture(viz::Figure figure) { add(Picture{std::move(figure)}); }

  void see(std::string_view text) { add(Lesson{std::string(text)}); }

  const std::vector<Part>& parts() const noexcept { return parts_; }

  /// Indented, with wide characters aligned and the pictures in characters.
  std::string text(const viz::Terminal& terminal = {}) const;

 private:
  void add(Part part) { parts_.push_back(std::move(part)); }
  void add_lines(std::string lines);

  std::vector<Part> parts_;
};

/// Largest |a - b|.
double max_difference(const Tensor& a, const Tensor& b);

}  // namespace heed::tour
