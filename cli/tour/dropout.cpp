// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "dropout.h"

namespace heed::tour {

DropoutResult run_dropout(std::uint64_t seed) {
  heed::seed(seed);
  constexpr std::int64_t kRuns = 4000;
  const Tensor queries = normal({1, 2}), keys = normal({10, 2}), values = rand({10, 4});
  nn::DotProductAttention attention({.dropout = 0.5});
  const auto pool = [&] { return attention(queries, keys, values).squeeze(0); };

  DropoutResult result;
  result.runs = kRuns;
  attention.train();
  result.first = pool();
  result.second = pool();
  Tensor sum = result.first + result.second;
  for (std::int64_t run = 2; run < kRuns; ++run) sum = sum + pool();
  result.average = sum / kRuns;
  heed::seed(seed);
  const Tensor once = pool();
  heed::seed(seed);
  result.reseeded_identical = identical(once, pool());

  attention.eval();
  result.evaluated = pool();
  result.evaluations_identical = identical(result.evaluated, pool());
  result.average_off = max_difference(result.average, result.evaluated);
  return result;
}

void show(Page& page, const DropoutResult& result) {
  page.formula("training: each weight becomes 0 with p = ½ and doubles otherwise;  evaluation: all stay");
  page.numbers("two outputs while training", stack({result.first, result.second}));
  page.numbers(fmt::format("average of {}", result.runs), result.average);
  page.numbers("in evaluation", result.evaluated);
  const auto marks = [](const char* name, const Tensor& y) -> viz::Series {
    return {.name = name, .x = arange(y.numel()), .y = y, .style = viz::Series::Style::kPoints};
  };
  page.picture(
      viz::Chart{.series = {marks("training, once", result.first),
                            marks("training, again", result.second),
                            {.name = "average", .x = arange(result.average.numel()), .y = result.average},
                            {.name = "evaluation",
                             .x = arange(result.evaluated.numel()),
                             .y = result.evaluated,
                             .style = viz::Series::Style::kDashes}},
                 .x_label = "output",
                 .y_label = "value"});
  page.note("largest difference of the last two: {:.4f}", result.average_off);
  page.note("evaluated twice: {}; trained twice from one seed: {}",
            result.evaluations_identical ? "the same bits" : "different",
            result.reseeded_identical ? "the same bits" : "different");
  page.see("Training varies around what evaluation gives. Evaluation never varies.");
}

}  // namespace heed::tour
