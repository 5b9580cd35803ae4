// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "waist.h"

namespace heed::tour {

Waist run_waist() {
  const Tensor keys = tensor({{51}, {56}, {58}}), values = tensor({{40}, {43}, {48}});
  const AttendResult result =
      attend_with_weights(tensor({{57}}), keys, values, {.score = Gaussian{.bandwidth = 1}});
  const Tensor others = linspace(50, 60, 101);
  const Tensor curve = attend(others.unsqueeze(1), keys, values, {.score = Gaussian{.bandwidth = 1}});
  return {keys.squeeze(1), values.squeeze(1), result.weights().squeeze(0), result.output.item(),
          others,          curve.squeeze(1)};
}

void show(Page& page, const Waist& waist) {
  page.formula("f(q) = Σᵢ softmaxᵢ( -½ (q - kᵢ)² ) vᵢ");
  page.numbers("waist (keys)", waist.keys, 0);
  page.numbers("weight (values)", waist.values, 0);
  page.numbers("attention of a waist of 57", waist.weights);
  page.line("f(57) = {:.4f}", waist.prediction);
  page.picture(viz::Chart{
      .series = {{.name = "f", .x = waist.others, .y = waist.curve},
                 {.name = "known", .x = waist.keys, .y = waist.values, .style = viz::Series::Style::kPoints},
                 {.name = "f(57)",
                  .x = tensor({57}),
                  .y = tensor({waist.prediction}),
                  .style = viz::Series::Style::kPoints}},
      .x_label = "waist",
      .y_label = "weight"});
  page.see("The two near keys share the attention. The far one gets almost none.");
}

}  // namespace heed::tour
