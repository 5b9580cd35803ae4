// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "positions.h"

#include "order_task.h"

#include <algorithm>
#include <cmath>

namespace heed::tour {
namespace {

constexpr std::int64_t kSteps = 60;
constexpr std::int64_t kWidth = 32;

/// (sin, cos) of position p + δ is that of p turned by an angle that depends on δ and the pair, not on p.
double worst_rotation(const Tensor& table) {
  double worst = 0;
  for (std::int64_t pair = 0; pair < kWidth / 2; ++pair) {
    const Tensor sine = table.select(1, 2 * pair), cosine = table.select(1, 2 * pair + 1);
    for (std::int64_t delta = 1; delta < kSteps; ++delta) {
      const double angle =
          static_cast<double>(delta) / std::pow(10000.0, static_cast<double>(2 * pair) / kWidth);
      const auto before = [&](const Tensor& x) { return x.slice(0, {.stop = kSteps - delta}); };
      const auto after = [&](const Tensor& x) { return x.slice(0, {.start = delta}); };
      const Tensor turned_sine = before(sine) * std::cos(angle) + before(cosine) * std::sin(angle);
      const Tensor turned_cosine = before(cosine) * std::cos(angle) - before(sine) * std::sin(angle);
      worst = std::max(
          {worst, max_difference(turned_sine, after(sine)), max_difference(turned_cosine, after(cosine))});
    }
  }
  return worst;
}

}  // namespace

Positions run_positions(std::uint64_t seed) {
  heed::seed(seed);
  nn::PositionalEncoding encode({.num_hiddens = kWidth});
  encode.eval();
  Positions result;
  result.table = encode(zeros({1, kSteps, kWidth})).squeeze(0);
  result.rotation_error = worst_rotation(result.table);
  result.without = learn_order(Encoding::kNone, seed);
  result.with = learn_order(Encoding::kLearned, seed);
  return result;
}

void show(Page& page, const Positions& positions) {
  const Tensor& table = positions.table;
  page.formula("P[p, 2i] = sin(p / 10000^(2i/d)),  P[p, 2i+1] = cos(p / 10000^(2i/d))");
  viz::Chart curves{.series = {},
                    .title = fmt::format("columns 6 to 9 of {}", to_string(table.shape())),
                    .x_label = "Row (position)"};
  for (std::int64_t column = 6; column < 10; ++column) {
    curves.series.push_back(
        {.name = fmt::format("Col {}", column), .x = arange(kSteps), .y = table.select(1, column)});
  }
  page.picture(curves);
  page.numbers("the same columns, rows 0, 10, … 50",
               table.slice(0, {.step = 10}).slice(1, {.start = 6, .stop = 10}));
  page.picture(viz::Heatmap{.values = table,
                            .x_label = "Column (encoding dimension)",
                            .y_label = "Row (position)",
                            .colours = viz::Colours::kBlues});
  page.note("lower bits change faster, as left columns do:");
  for (int i = 0; i < 8; ++i) page.line("  {} in binary is {:03b}", i, i);
  page.note("p → p + δ is one rotation for all p; largest error {:.1e}", positions.rotation_error);

  page.note("learned: does A come before B in a sequence of {}?", kOrderLength);
  std::string heading = fmt::format("  {:<17}", "loss at step");
  for (int step = 0; step <= kOrderSteps; step += kOrderReport) heading += fmt::format("{:>8}", step);
  page.line("{}    accuracy", heading);
  const auto row = [&](std::string_view name, const Positions::Learned& learned) {
    std::string losses;
    for (std::size_t step = 0; step < learned.losses.size(); step += kOrderReport) {
      losses += fmt::format("{:>8.4f}", learned.losses[step]);
    }
    page.line("  {:<17}{}{:>12.3f}", name, losses, learned.accuracy);
  };
  row("without encoding", positions.without);
  row("with encoding", positions.with);
  const auto steps = static_cast<std::int64_t>(positions.with.losses.size());
  const auto loss = [&](const char* name, const Positions::Learned& learned) -> viz::Series {
    return {.name = name, .x = arange(steps), .y = from_vector(learned.losses, {steps})};
  };
  page.picture(
      viz::Chart{.series = {loss("with encoding", positions.with), loss("without", positions.without)},
                 .title = "learning order",
                 .x_label = "step",
                 .y_label = "loss"});
  page.see(
      "Positions are points on clocks of different speed. Without positions, order cannot be learned at "
      "all.");
}

}  // namespace heed::tour
