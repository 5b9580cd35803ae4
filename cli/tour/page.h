// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What an experiment shows: a question, a formula, what its program prints, pictures, and what is to be seen in them. Put
// together once; text for a terminal and HTML come from the same parts.
#pragma once

#include <heed/heed.h>

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heed::tour {

/// What a reader may guess before reading on.
struct Question {
  std::string text;
};

struct Formula {
  std::string text;  ///< on one line, as math_ml() reads it
};

/// What the experiment's program prints.
struct Output {
  std::string text;
};

/// A paragraph.
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

/// Where to read on.
struct Reading {
  std::string text;
  std::string url;
};

using Part = std::variant<Question, Formula, Note, Output, Picture, Lesson, Reading>;

class Page {
 public:
  void question(std::string_view text) { add(Question{std::string(text)}); }
  void formula(std::string_view text) { add(Formula{std::string(text)}); }
  void note(std::string_view text) { add(Note{std::string(text)}); }

  template <class Result>
  void output(const Result& result) {
    std::ostringstream out;
    print(out, result);
    add(Output{out.str()});
  }

  void picture(viz::Figure figure) { add(Picture{std::move(figure)}); }

  void see(std::string_view text) { add(Lesson{std::string(text)}); }

  void read(Reading reading) { add(std::move(reading)); }

  const std::vector<Part>& parts() const noexcept { return parts_; }

  /// Indented, wrapped to the width of the terminal, and the pictures in characters.
  std::string text(const viz::Terminal& terminal = {}) const;

 private:
  void add(Part part) { parts_.push_back(std::move(part)); }
  std::vector<Part> parts_;
};

}  // namespace heed::tour
