// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "numbers.h"

#include <heed/quote.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace {

constexpr std::int64_t kMostOfAGrid = 1'000'000;

template <class T>
std::optional<T> parse(std::string_view text) {
  // from_chars does not know a plus.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value = {};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// Each part by `parse_one`; nothing as soon as one is not what it should be.
template <class ParseOne>
auto parse_list(std::string_view text, const ParseOne& parse_one) {
  std::optional<std::vector<typename decltype(parse_one(text))::value_type>> values(std::in_place);
  for (const std::string_view part : split(text, ',')) {
    const auto value = parse_one(part);
    if (!value) return decltype(values)();
    values->push_back(*value);
  }
  return values;
}

}  // namespace

std::string check_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc{} && stop == end) return "";
  return fmt::format("{} is not a whole number of 0 to 2^64 - 1", heed::in_quotes(text));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<double> parse_number(std::string_view text) {
  const std::optional<double> number = parse<double>(text);
  return number && !std::isnan(*number) ? number : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse<std::int64_t>(text); }

std::optional<std::vector<double>> parse_numbers(std::string_view text) {
  return parse_list(text, parse_number);
}

std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text) {
  return parse_list(text, parse_integer);
}

std::optional<std::vector<double>> parse_grid(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() == 1) return parse_list(text, parse_number);
  if (parts.size() != 3) return std::nullopt;
  const std::optional<double> start = parse_number(parts[0]), stop = parse_number(parts[1]);
  const std::optional<std::int64_t> count = parse_integer(parts[2]);
  if (!start || !stop || !count || *count < 1 || *count > kMostOfAGrid) return std::nullopt;
  if (!std::isfinite(*start) || !std::isfinite(*stop)) return std::nullopt;
  std::vector<double> values;
  for (std::int64_t i = 0; i < *count; ++i) {
    const double part = *count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(*count - 1);
    values.push_back(*start * (1 - part) + *stop * part);
  }
  return values;
}
