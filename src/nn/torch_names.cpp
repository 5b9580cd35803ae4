// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "nn/torch_names.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace heed::nn {
namespace {

constexpr std::string_view kMark = "W_q.weight";

void rename(Module::State& state, const std::string& from, const std::string& to) {
  auto entry = state.extract(from);
  if (entry.empty()) return;
  entry.key() = to;
  // On a clash the entry comes back, and is reported under its own name.
  auto result = state.insert(std::move(entry));
  if (!result.inserted) {
    result.node.key() = from;
    state.insert(std::move(result.node));
  }
}

/// PyTorch stacks the projections of queries, keys and values on top of each other.
void split(Module::State& state, const std::string& from, const std::array<std::string, 3>& to) {
  const auto entry = state.find(from);
  if (entry == state.end()) return;
  const Tensor stacked = entry->second;
  if (stacked.rank() == 0 || stacked.size(0) % 3 != 0) return;
  for (const std::string& name : to) {
    if (state.contains(name)) return;
  }
  const std::int64_t rows = stacked.size(0) / 3;
  std::int64_t start = 0;
  for (const std::string& name : to) {
    state.emplace(name, stacked.slice(0, {.start = start, .stop = start + rows}));
    start += rows;
  }
  state.erase(from);
}

}  // namespace

Module::State with_own_names(Module::State given, const Module::State& wanted) {
  for (const auto& [name, parameter] : wanted) {
    if (!name.ends_with(kMark)) continue;
    const std::string prefix = name.substr(0, name.size() - kMark.size());
    if (!prefix.empty() && !prefix.ends_with('.')) continue;
    split(given, prefix + "in_proj_weight",
          {prefix + "W_q.weight", prefix + "W_k.weight", prefix + "W_v.weight"});
    split(given, prefix + "in_proj_bias", {prefix + "W_q.bias", prefix + "W_k.bias", prefix + "W_v.bias"});
    for (const char* letter : {"q", "k", "v"}) {
      rename(given, prefix + letter + "_proj_weight", prefix + "W_" + letter + ".weight");
    }
    rename(given, prefix + "out_proj.weight", prefix + "W_o.weight");
    rename(given, prefix + "out_proj.bias", prefix + "W_o.bias");
  }
  return given;
}

}  // namespace heed::nn
