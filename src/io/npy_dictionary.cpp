// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/npy_dictionary.h"

#include <heed/shape.h>

#include <charconv>

namespace heed::io {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const Place& place) : text_(text), place_(place) {}

  NpyDictionary dictionary() {
    NpyDictionary found;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    const auto once = [&](bool& seen, std::string_view key) {
      check_at(!seen, here(), "header", "the key {} appears twice", in_quotes(key));
      seen = true;
    };
    expect('{', "header");
    while (!accept('}')) {
      const std::string_view key = string("header");
      expect(':', "header");
      if (key == "descr") {
        once(has_descr, key);
        found.descr_place = here();
        found.descr = descr();
      } else if (key == "fortran_order") {
        once(has_order, key);
        found.fortran_order = boolean();
      } else if (key == "shape") {
        once(has_shape, key);
        found.shape_place = here();
        found.shape = tuple();
      } else {
        check_at(false, here(), "header", "unknown key {}", in_quotes(key));
      }
      if (!accept(',')) {
        expect('}', "header");
        break;
      }
    }
    check_at(has_descr && has_order && has_shape, here(), "header",
             "expected the keys descr, fortran_order and shape");
    check_end();
    return found;
  }

 private:
  Place here() {
    skip_spaces();
    return {place_.file, place_.byte + at_};
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  std::string_view rest() {
    skip_spaces();
    return text_.substr(at_);
  }
  bool accept(std::string_view token) {
    if (!rest().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  bool accept(char token) { return accept(std::string_view(&token, 1)); }
  void expect(char token, std::string_view field) {
    check_at(accept(token), here(), field, "expected '{}', found {}", token, in_quotes(rest().substr(0, 10)));
  }

  /// Without escapes, which nothing in a header needs.
  std::string_view string(std::string_view field) {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'', field);
    const std::size_t end = text_.find_first_of("'\"\\\n", at_);
    check_at(end != std::string_view::npos && text_[end] == quote, here(), field, "a string without its end");
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }

  std::string_view descr() {
    check_at(!rest().starts_with('['), here(), "descr", "records of several fields are not read");
    return string("descr");
  }

  bool boolean() {
    if (accept("True")) return true;
    check_at(accept("False"), here(), "fortran_order", "expected True or False, found {}",
             in_quotes(rest().substr(0, 10)));
    return false;
  }

  std::uint64_t integer() {
    std::uint64_t value = 0;
    const std::string_view digits = rest();
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    check_at(problem == std::errc(), here(), "shape", "expected a number from 0 to 2^64 - 1, found {}",
             in_quotes(digits.substr(0, 20)));
    at_ += static_cast<std::size_t>(end - digits.data());
    return value;
  }

  /// (), (3,) or (3, 4); Python does not write (3).
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> sizes;
    expect('(', "shape");
    while (!accept(')')) {
      check_at(sizes.size() < static_cast<std::size_t>(kMaxRank), here(), "shape",
               "expected at most {} dimensions", kMaxRank);
      sizes.push_back(integer());
      if (!accept(',')) {
        check_at(sizes.size() > 1, here(), "shape", "expected ',' after the only size, found {}",
                 in_quotes(rest().substr(0, 10)));
        expect(')', "shape");
        break;
      }
    }
    return sizes;
  }

  void check_end() {
    check_at(rest() == "\n", here(), "header", "expected spaces and a newline after the dictionary, found {}",
             in_quotes(rest().substr(0, 10)));
  }

  std::string_view text_;
  Place place_;
  std::size_t at_ = 0;
};

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text, const Place& place) {
  return Parser(text, place).dictionary();
}

}  // namespace heed::io
