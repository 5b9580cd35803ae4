#include "attend/operands.h"

#include "support/numbers.h"

#include <heed/error.h>
#include <heed/io.h>
#include <heed/ops.h>
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

Gaussian::Width read_bandwidth(const std::string& text) {
  const std::optional<std::vector<double>> numbers = parse_numbers(text);
  if (!numbers) return load_floats(text);
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
  throw Error(fmt::format("{}: no tensor '{}', which --score additive needs{}", file, name,
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
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
    throw Error(fmt::format("{}: lengths must be whole numbers, found {}", address, entry));
  }
  return x.to(i64);
}

}  // namespace

Tensor load_floats(const std::string& address) {
  const Tensor x = load(address);
  if (x.dtype() == boolean) throw Error(fmt::format("{}: expected numbers, found booleans", address));
  return is_floating(x.dtype()) ? x : x.to(f64);
}

Tensor as_rows(const Tensor& x) { return x.rank() == 1 ? x.unsqueeze(1) : x; }

Tensor load_mask(const std::string& address) {
  const Tensor x = load(address);
  if (x.dtype() == boolean) return x;
  for (const double entry : x.to_vector()) {
    if (entry == 0 || entry == 1) continue;
    throw Error(fmt::format("{}: a mask holds 0 (skip) and 1 (attend), found {}", address, entry));
  }
  return x.to(boolean);
}

Tensor read_lengths(const std::string& text, const Tensor& queries) {
  const std::optional<std::vector<std::int64_t>> numbers = parse_integers(text);
  const Tensor lengths = numbers ? row(*numbers) : whole_numbers(load(text), text);
  const bool per_row = queries.rank() == 2 && lengths.rank() == 1 && lengths.numel() != 1;
  return per_row ? lengths.unsqueeze(0) : lengths;
}

Score read_score(const AttendFlags& flags, Dtype dtype) {
  if (flags.score == "dot") return Dot{};
  if (flags.score == "additive") return read_additive(flags.params, dtype);
  if (flags.score == "scaled-dot") return ScaledDot{.scale = flags.scale};
  if (flags.bandwidth.empty()) return Gaussian{};
  return Gaussian{.bandwidth = read_bandwidth(flags.bandwidth)};
}

std::optional<WindowOptions> read_band(const AttendFlags& flags) {
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
  return band;
}

}  // namespace heed::command
