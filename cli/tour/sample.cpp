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
    return {.weights = result.weights(), .output = result.output};
  };
  const Tensor scores = matmul(Q, K.transpose(0, 1));
  return {.scores = scores,
          .product = matmul(scores, V),
          .dot = pool(Dot{}),
          .scaled = pool(ScaledDot{}),
          .scaled_by_far = pool(ScaledDot{.scale = 1e-3})};
}

void print(std::ostream& out, const Sample& sample) {
  const auto print_pooled = [&](const char* name, const Pooled& pooled) {
    out << "softmax(" << name << ")\n" << pooled.weights << '\n';
    out << "softmax(" << name << ") V\n" << pooled.output << '\n';
  };
  out << "Q Kᵀ\n" << sample.scores << '\n';
  out << "Q Kᵀ V\n" << sample.product << '\n';
  print_pooled("Q Kᵀ", sample.dot);
  print_pooled("Q Kᵀ / √2", sample.scaled);
  print_pooled("Q Kᵀ / 1000", sample.scaled_by_far);
}

void show(Page& page, const Sample& sample) {
  page.question(
      "A product of queries and keys tells how well they fit. Why is a product of all three matrices no "
      "average "
      "of the values, and what does the scale of the scores decide?");
  page.formula("Q Kᵀ V,  softmax(Q Kᵀ) V,  softmax(Q Kᵀ / √d) V");
  page.note(
      "Two people with waist and chest ask three known ones for weight and height. The plain product weighs "
      "the "
      "values with thousands. Softmax makes shares of the scores, which sum to 1 in each row.");
  page.output(sample);
  page.picture(
      viz::Heatmap{.values = stack({sample.dot.weights, sample.scaled.weights, sample.scaled_by_far.weights}),
                   .title = "The same scores on three scales",
                   .x_label = "keys",
                   .y_label = "queries",
                   .panel_titles = {"softmax(Q Kᵀ)", "softmax(Q Kᵀ / √2)", "softmax(Q Kᵀ / 1000)"}});
  page.see(
      "Keys 1 and 2 are the same, so they always share alike. Key 0 has a score lower by more than a "
      "thousand: at the "
      "first two scales softmax leaves nothing of it, and only the third shows three shares. Inputs this "
      "large "
      "need a smaller scale, or to be normalised first.");
  page.read(
      {.text = "Dive into Deep Learning, 11.3 Attention Scoring Functions",
       .url =
           "https://d2l.ai/chapter_attention-mechanisms-and-transformers/attention-scoring-functions.html"});
}

}  // namespace heed::tour
