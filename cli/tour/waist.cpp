// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "waist.h"

namespace heed::tour {

Waist run_waist() {
  const Tensor waists = tensor({{51}, {56}, {58}});
  const Tensor weights = tensor({{40}, {43}, {48}});
  const Tensor asked = tensor({{57}});
  const AttendOptions options{.score = Gaussian{.bandwidth = 1}};
  const AttendResult result = attend_with_weights(asked, waists, weights, options);
  const Tensor others = linspace(50, 60, 101);
  return {.keys = waists.squeeze(1),
          .values = weights.squeeze(1),
          .weights = result.weights().squeeze(0),
          .prediction = result.output.item(),
          .others = others,
          .curve = attend(others.unsqueeze(1), waists, weights, options).squeeze(1)};
}

void print(std::ostream& out, const Waist& waist) {
  out << "attention: " << waist.weights << "\nweight: " << waist.prediction << '\n';
}

void show(Page& page, const Waist& waist) {
  page.question(
      "Three people have waists of 51, 56 and 58 and weigh 40, 43 and 48. What does a fourth weigh, whose "
      "waist "
      "is 57?");
  page.formula("f(q) = Σᵢ softmaxᵢ( -½ (q - kᵢ)² ) vᵢ");
  page.note(
      "The waist of 57 is a query, the known waists are keys, and the known weights are values. A key counts "
      "by how "
      "near it is to the query: its distance goes through a bell curve one wide, and softmax turns that into "
      "shares.");
  page.output(waist);
  page.picture(viz::Chart{
      .series = {{.name = "f", .x = waist.others, .y = waist.curve},
                 {.name = "known", .x = waist.keys, .y = waist.values, .style = viz::Series::Style::kPoints},
                 {.name = "f(57)",
                  .x = tensor({57}),
                  .y = tensor({waist.prediction}),
                  .style = viz::Series::Style::kPoints}},
      .title = "Weight guessed from a waist",
      .x_label = "waist",
      .y_label = "weight"});
  page.see(
      "The keys 56 and 58 are equally near and share the attention, so the guess is halfway between 43 and "
      "48. The "
      "key 51 is six bandwidths away and gets almost nothing: the curve is flat where one key alone is "
      "near.");
  page.read({.text = "Dive into Deep Learning, 11.2 Attention Pooling by Similarity",
             .url = "https://d2l.ai/chapter_attention-mechanisms-and-transformers/attention-pooling.html"});
  page.read({.text = "Nadaraya, On Estimating Regression (1964)", .url = "https://doi.org/10.1137/1109020"});
}

}  // namespace heed::tour
