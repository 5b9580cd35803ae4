// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "sample.h"

namespace heed::tour {

Sample run_sample() {
  // In f64: with scores near 10000, f32 keeps only three digits behind the point.
  const Tensor Q = tensor({{57, 83}, {55, 76}}, f64);               // waist, chest
  const Tensor K = tensor({{51, 70}, {56, 82}, {56, 82}}, f64);     // waist, chest
  const Tensor V = tensor({{40, 155}, {43, 159}, {48, 162}}, f64);  // weight, height
  const auto pool = [&](const Score& score) -> Pooled {
    const AttendResult result = attend_with_weights(Q, K, V, {.score = score});
    return {result.weights(), result.output};
  };
  const Tensor scores = matmul(Q, K.transpose(0, 1));
  return {scores, matmul(scores, V), pool(Dot{}), pool(ScaledDot{}), pool(ScaledDot{.scale = 1e-3})};
}

void show(Page& page, const Sample& sample) {
  page.formula("Q Kᵀ V,  then  softmax(Q Kᵀ) V  and  softmax(Q Kᵀ / √d) V");
  page.numbers("Q Kᵀ", sample.scores, 0);
  page.numbers("Q Kᵀ V", sample.product, 0);
  page.numbers("softmax(Q Kᵀ)", sample.dot.weights);
  page.numbers("softmax(Q Kᵀ) V", sample.dot.output);
  page.numbers("softmax(Q Kᵀ / √2)", sample.scaled.weights);
  page.numbers("softmax(Q Kᵀ / √2) V", sample.scaled.output);
  page.numbers("softmax(Q Kᵀ / 1000)", sample.scaled_by_far.weights);
  page.numbers("softmax(Q Kᵀ / 1000) V", sample.scaled_by_far.output);
  page.picture(
      viz::Heatmap{.values = stack({sample.dot.weights, sample.scaled.weights, sample.scaled_by_far.weights}),
                   .x_label = "keys",
                   .y_label = "queries",
                   .panel_titles = {"softmax(Q Kᵀ)", "softmax(Q Kᵀ / √2)", "softmax(Q Kᵀ / 1000)"}});
  page.see(
      "Only softmax makes averages. Scores this large need a far smaller scale, or softmax picks one side.");
}

}  // namespace heed::tour
