// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attend/weights.h"

#include "support/figure.h"
#include "support/files.h"

#include <heed/error.h>
#include <heed/ops.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heed::command {
namespace {

constexpr std::int64_t kMostPanels = 64;

/// The log-sum-exp of every row, from which any part of the weights follows. Values without width cost nothing.
AttentionWeights weights_of(const AttendCall& call, Show show) {
  Progress progress("attending", "rows", show);
  const Tensor nothing = call.values.slice(-1, {.stop = 0});
  return attend_with_weights(call.queries, call.keys, nothing, call.options()).weights;
}

/// One panel, a block of rows at a time.
Tensor panel(const AttentionWeights& weights, const AttendCall& call, const WeightsFlags& flags,
             std::int64_t head, Progress& progress) {
  const std::int64_t Lk = call.keys.size(-2);
  const auto chosen = static_cast<std::int64_t>(flags.rows.size());
  const std::int64_t height = chosen > 0 ? chosen : call.rows();
  const auto rows = [&](std::int64_t first, std::int64_t count) {
    WeightsPart part;
    if (call.queries.rank() == 4) part.heads = {head};
    part.rows.resize(static_cast<std::size_t>(count));
    std::iota(part.rows.begin(), part.rows.end(), first);
    if (chosen > 0) {
      for (std::int64_t& row : part.rows) row = flags.rows[static_cast<std::size_t>(row)];
    }
    const Tensor block = weights(part).reshape({count, Lk});
    progress.report(static_cast<double>(first + count), static_cast<double>(height));
    return block;
  };
  return viz::downsample({height, Lk}, rows);
}

/// A long sequence has a few large weights (the first row of a causal one is a 1) and many thousand times as small: on a
/// scale up to the largest, nothing else would show.
void cut_range(viz::Heatmap& map) {
  constexpr double kShown = 0.995;
  std::vector<double> cells = map.values.to_vector();
  const auto last =
      cells.begin() + static_cast<std::ptrdiff_t>(kShown * static_cast<double>(cells.size() - 1));
  std::ranges::nth_element(cells, last);
  const double high = *last, largest = *std::ranges::max_element(last, cells.end());
  if (!(high > 0) || !(largest > 2 * high)) return;
  map.range = viz::Interval{0, high};
  map.title += fmt::format("; the darkest stand for {:.2g} and more, up to {:.2g}", high, largest);
}

bool has_mask(const AttendCall& call) {
  return call.lengths.defined() || call.allowed.defined() || !call.bands.empty();
}

/// The same call where every pair fits alike: its weights are above 0 for the pairs that are not masked, and only there.
AttendCall evened(const AttendCall& call) {
  AttendCall even = call;
  even.queries = zeros_like(call.queries.slice(-1, {.stop = 1}));
  even.keys = zeros_like(call.keys.slice(-1, {.stop = 1}));
  even.score = Dot{};
  even.bias = {};
  even.softcap = std::nullopt;
  return even;
}

std::string title_of(const AttendCall& call) {
  std::string masks;
  const auto add = [&](bool given, const char* name) {
    if (given) masks += fmt::format("{} {}", masks.empty() ? ", masked by" : " and", name);
  };
  add(call.lengths.defined(), "lengths");
  add(!call.bands.empty(), "a band");
  add(call.allowed.defined(), "pairs");
  return "Attention weights" + masks;
}

std::vector<std::string> panel_titles_of(const AttendCall& call) {
  std::vector<std::string> titles;
  if (call.batches() * call.heads() == 1) return titles;
  for (std::int64_t b = 0; b < call.batches(); ++b) {
    for (std::int64_t h = 0; h < call.heads(); ++h) {
      const std::string batch = call.batches() > 1 ? fmt::format("batch {}", b) : "";
      const std::string head = call.queries.rank() == 4 ? fmt::format("head {}", h) : "";
      titles.push_back(batch + (batch.empty() || head.empty() ? "" : ", ") + head);
    }
  }
  return titles;
}

/// (B, H, height, width), or fewer dimensions where there are no heads or batches.
viz::Heatmap heatmap(const AttendCall& call, const WeightsFlags& flags, Show show) {
  const std::int64_t B = call.batches(), H = call.heads();
  if (B * H > kMostPanels) {
    throw Error(fmt::format("--heatmap: {} batches of {} heads are too many panels, expected at most {}", B,
                            H, kMostPanels));
  }
  std::vector<Tensor> panels, shown;
  for (std::int64_t b = 0; b < B; ++b) {
    const AttendCall batch = call.batch(b);
    const AttentionWeights weights = weights_of(batch, show);
    Progress progress(B * H == 1 ? "weighing" : fmt::format("weighing batch {} of {}", b + 1, B), "rows",
                      show);
    for (std::int64_t h = 0; h < H; ++h) panels.push_back(panel(weights, batch, flags, h, progress));
    if (!has_mask(call)) continue;
    const AttendCall even = evened(batch);
    const AttentionWeights unmasked = weights_of(even, show);
    for (std::int64_t h = 0; h < H; ++h) shown.push_back(panel(unmasked, even, flags, h, progress) > 0);
  }
  const Tensor all = stack(panels);
  const std::int64_t height = all.size(1), width = all.size(2);
  const auto arranged = [&](const Tensor& x) {
    return B * H == 1 ? x[0] : call.queries.rank() == 4 ? x.reshape({B, H, height, width}) : x;
  };
  viz::Heatmap map{.values = arranged(all),
                   .title = title_of(call),
                   .x_label = "keys",
                   .y_label = "queries",
                   .panel_titles = panel_titles_of(call)};
  if (!shown.empty()) map.mask = arranged(stack(shown));
  const auto chosen = static_cast<std::int64_t>(flags.rows.size());
  const Shape whole = {chosen > 0 ? chosen : call.rows(), call.keys.size(-2)};
  if (!(whole == Shape{height, width})) {
    map.whole = whole;
    map.pool = viz::Pool::kMax;
    cut_range(map);
  }
  if (chosen > 0 && chosen == height) {
    for (const std::int64_t row : flags.rows) map.queries.push_back(std::to_string(row));
  }
  return map;
}

}  // namespace

void check_outputs(const WeightsFlags& flags) {
  check_output(flags.file, kTensorSuffixes);
  check_figure_output(flags.heatmap);
}

WeightsOutput weights_output(const AttendCall& call, const WeightsFlags& flags, Show show) {
  WeightsOutput output;
  if (!flags.file.empty()) output.numbers = weights_of(call, show)({.rows = flags.rows});
  if (!flags.heatmap.empty()) output.picture = heatmap(call, flags, show);
  return output;
}

void write_files(const WeightsOutput& output, const WeightsFlags& flags) {
  if (output.numbers) save_output({.path = flags.file}, *output.numbers);
  if (output.picture && flags.heatmap != "-") show_figure(flags.heatmap, *output.picture);
}

void print(const WeightsOutput& output, const WeightsFlags& flags) {
  if (output.picture && flags.heatmap == "-") show_figure(flags.heatmap, *output.picture);
}

}  // namespace heed::command
