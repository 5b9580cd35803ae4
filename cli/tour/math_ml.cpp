// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "math_ml.h"

#include <fmt/format.h>

#include <map>

namespace heed::tour {
namespace {

constexpr std::string_view kBlank = "<mspace width=\"0.28em\"></mspace>";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string tagged(std::string_view tag, std::string_view content) {
  return fmt::format("<{}>{}</{}>", tag, content, tag);
}

/// As tall as the row, it would dwarf it.
std::string bracket(std::string_view sign) { return fmt::format("<mo stretchy=\"false\">{}</mo>", sign); }

/// Reads one piece from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::string row(char end = '\0') {
    std::string out;
    bool after_name = false;
    while (!rest_.empty() && (end == '\0' || rest_.front() != end)) {
      const bool apart = take_if(" ");
      if (rest_.empty() || rest_.front() == end) break;
      // Around operators MathML leaves room by itself, between names it leaves none.
      if (apart && after_name && (is_letter(rest_.front()) || is_digit(rest_.front()))) out += kBlank;
      const std::string next = atom();
      after_name = !next.starts_with("<mo");
      out += with_scripts(next);
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
    return out;
  }

 private:
  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  bool take_if(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    take(what.size());
    return true;
  }

  template <class Holds>
  std::string_view take_while(Holds holds) {
    std::size_t count = 0;
    while (count < rest_.size() && holds(rest_[count])) ++count;
    return take(count);
  }

  std::string atom() {
    if (take_if("½")) return "<mfrac><mn>1</mn><mn>2</mn></mfrac>";
    if (take_if("√")) return tagged("msqrt", atom());
    if (take_if("Σ")) return "<mo>∑</mo>";
    if (is_digit(rest_.front()))
      return tagged("mn", take_while([](char c) { return is_digit(c) || c == '.'; }));
    if (is_letter(rest_.front())) {
      const std::string_view word = take_while(is_letter);
      return tagged(word.size() == 1 ? "mi" : "mtext", word);
    }
    if (take_if("-")) return "<mo>−</mo>";
    // A character of UTF-8, however many bytes it has.
    std::size_t length = 1;
    while (length < rest_.size() && (static_cast<unsigned char>(rest_[length]) & 0xC0U) == 0x80U) ++length;
    if (take_if("(")) return tagged("mrow", bracket("(") + row(')') + bracket(")"));
    const std::string_view sign = take(length);
    if (sign == "[" || sign == "]") return bracket(sign);
    return tagged("mo", escaped_for_html(sign));
  }

  /// What stands below or above what was just read.
  std::string with_scripts(std::string base) {
    static const std::map<std::string_view, std::string_view> kBelow = {{"ᵢ", "i"}, {"ⱼ", "j"}};
    static const std::map<std::string_view, std::string_view> kAbove = {{"²", "<mn>2</mn>"},
                                                                        {"ᵀ", "<mi>T</mi>"}};
    for (const auto& [sign, name] : kBelow) {
      if (take_if(sign)) base = tagged("msub", base.append(tagged("mi", name)));
    }
    if (take_if("_")) base = tagged("msub", base + atom());
    for (const auto& [sign, above] : kAbove) {
      if (take_if(sign)) base = tagged("msup", base.append(above));
    }
    if (take_if("^(")) return tagged("msup", base + tagged("mrow", row(')')));
    if (take_if("^")) return tagged("msup", base + atom());
    return base;
  }

  std::string_view rest_;
};

}  // namespace

std::string math_ml(std::string_view formula) {
  std::string out;
  while (!formula.empty()) {
    const std::size_t end = formula.find("  ");
    const std::string_view piece = formula.substr(0, end);
    out += fmt::format("{}<math>{}</math>", out.empty() ? "" : " ", Reader(piece).row());
    formula.remove_prefix(end == std::string_view::npos ? formula.size() : end + 2);
  }
  return out;
}

std::string escaped_for_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace heed::tour
