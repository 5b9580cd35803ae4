// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attend/operands.h"

#include "support/numbers.h"

#include <heed/error.h>
#include <heed/io.h>
#include <heed/ops.h>
#include <heed/quote.h>
#include <heed/suggest.h>

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace heed::command {
namespace {

template <class T>
Tensor row(const std::vector<T>& numbers) {
  return from_vector(numbers, {static_cast<std::int64_t>(numbers.size())});
}

Gaussian::Width read_bandwidth(const std::string& text, const CsvOptions& csv) {
  const std::optional<std::vector<double>> numbers = parse_numbers(text);
  if (!numbers) return load_floats(text, csv);
  if (numbers->size() == 1) return numbers->front();
  return row(*numbers);
}

/// A parameter by its name, or by the one an nn::AdditiveAttention saves it under.
Tensor parameter(const std::map<std::string, Tensor>& tensors, const std::string& file,
                 const std::string& name) {
  for (const std::string& known : {name, name + ".weight"}) {
    const auto found = tensors.find(known);
    if (found != tensors.end()) return found->second;
  }
  std::vector<std::string> names;
  names.reserve(tensors.size());
  for (const auto& [other, unused] : tensors) names.push_back(other);
  const std::string near = nearest_name(name, names);
  throw Error(fmt::format("{}: no tensor '{}', which --score additive needs{}", printable(file), name,
                          near.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(near))));
}

Additive read_additive(const std::string& file, Dtype dtype) {
  const std::map<std::string, Tensor> tensors = load_all(file);
  return {.W_q = parameter(tensors, file, "W_q").to(dtype),
          .W_k = parameter(tensors, file, "W_k").to(dtype),
          .w_v = parameter(tensors, file, "w_v").to(dtype)};
}

Tensor whole_numbers(const Tensor& x, const std::string& address) {
  if (x.dtype() == i64) return x;
  for (const double entry : x.to_vector()) {
    if (entry == std::floor(entry)) continue;
    throw Error(fmt::format("{}: lengths must be whole numbers, found {}", printable(address), entry));
  }
  return x.to(i64);
}

/// "2,6" or, row by row, "1,2;3,4"; nothing if it is no list of numbers.
std::optional<Tensor> inline_lengths(const std::string& text) {
  std::vector<Tensor> rows;
  for (const std::string_view part : split(text, ';')) {
    if (!parse_numbers(part)) return std::nullopt;
    const std::optional<std::vector<std::int64_t>> numbers = parse_integers(part);
    if (!numbers || (!rows.empty() && static_cast<std::int64_t>(numbers->size()) != rows.front().numel())) {
      throw Error(fmt::format(
          "--valid-lens: expected whole numbers, as many in each row, or a file, found {}", in_quotes(text)));
    }
    rows.push_back(row(*numbers));
  }
  return rows.size() == 1 ? rows.front() : stack(rows);
}

}  // namespace

Tensor load_floats(const std::string& address, const CsvOptions& csv) {
  const Tensor x = load(address, csv);
  if (x.dtype() == boolean)
    throw Error(fmt::format("{}: expected numbers, found booleans", printable(address)));
  return is_floating(x.dtype()) ? x : x.to(f64);
}

Tensor as_rows(const Tensor& x) { return x.rank() == 1 ? x.unsqueeze(1) : x; }

Tensor load_mask(const std::string& address, const CsvOptions& csv) {
  const Tensor x = load(address, csv);
  if (x.dtype() == boolean) return x;
  for (const double entry : x.to_vector()) {
    if (entry == 0 || entry == 1) continue;
    throw Error(fmt::format("{}: a mask holds 0 (skip) and 1 (attend), found {}", printable(address), entry));
  }
  return x.to(boolean);
}

Tensor read_lengths(const MaskFlags& flags, const Tensor& queries) {
  const Tensor lengths = read_lengths(flags.valid_lens, flags.csv);
  const bool per_row = queries.rank() == 2 && lengths.rank() == 1 && lengths.numel() != 1;
  return per_row ? lengths.unsqueeze(0) : lengths;
}

Tensor read_lengths(const std::string& text, const CsvOptions& csv) {
  const std::optional<Tensor> lengths = inline_lengths(text);
  return lengths ? *lengths : whole_numbers(load(text, csv), text);
}

Score read_score(const AttendFlags& flags, Dtype dtype) {
  if (flags.score == "dot") return Dot{};
  if (flags.score == "additive") return read_additive(flags.params, dtype);
  if (flags.score == "scaled-dot") return ScaledDot{.scale = flags.scale};
  if (flags.bandwidth.empty()) return Gaussian{};
  return Gaussian{.bandwidth = read_bandwidth(flags.bandwidth, flags.csv)};
}

std::optional<WindowOptions> read_band(const MaskFlags& flags, std::int64_t Lq, std::int64_t Lk) {
  if (flags.causal.empty() && flags.window.empty()) return std::nullopt;
  WindowOptions band;
  if (!flags.window.empty()) {
    const std::vector<std::int64_t> reach = *parse_integers(flags.window);
    band.left = reach.front();
    band.right = reach.back();
  }
  if (!flags.causal.empty()) band.right = 0;
  const std::string& corner = flags.causal.empty() ? flags.align : flags.causal;
  if (!corner.empty()) band.align = corner == "top-left" ? Align::kTopLeft : Align::kBottomRight;
  if (band.align || Lq == Lk) return band;
  throw Error(
      fmt::format("--window: Lq = {} and Lk = {} differ: --align top-left or bottom-right says from which "
                  "corner to count",
                  Lq, Lk));
}

}  // namespace heed::command
