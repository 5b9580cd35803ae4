// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bmm.h"

namespace heed::tour {

Bmm run_bmm() {
  const Tensor left = ones({2, 1, 4}), right = ones({2, 4, 6});
  const Tensor values = arange(20).reshape({2, 10});
  const Tensor even = full({10}, 0.1), growing = softmax(arange(10));
  const Tensor weights = stack({even, growing});
  return {.left = left.shape(),
          .right = right.shape(),
          .product = bmm(left, right).shape(),
          .weights = weights,
          .values = values,
          .pooled = bmm(weights.unsqueeze(1), values.unsqueeze(2)).reshape({2})};
}

void print(std::ostream& out, const Bmm& result) {
  out << result.left << ' ' << result.right << ' ' << result.product << '\n';
  out << "weights\n" << result.weights << '\n';
  out << "weights × values: " << result.pooled << '\n';
}

void show(Page& page, const Bmm& result) {
  page.question(
      "Each batch has ten weights and ten values. How do they become one number for each batch, in one "
      "call?");
  page.formula("(n, a, b) × (n, b, c) → (n, a, c)");
  page.note(
      "A batch product multiplies n pairs of matrices. Pooling is one: a row of weights times a column of "
      "values. The "
      "values are 0 to 9 and 10 to 19. The first batch weighs them evenly, the second more and more.");
  page.output(result);
  page.picture(viz::Heatmap{.values = stack({result.weights, result.values / 19}),
                            .title = "Weights, and values as shares of the largest",
                            .x_label = "position",
                            .y_label = "batch",
                            .panel_titles = {"weights", "values / 19"},
                            .colours = viz::Colours::kBlues});
  page.see(
      "Even weights give the plain average, 4.5. The growing ones give 18.42, near the last value of their "
      "batch, for "
      "that one has almost two thirds of the weight. Attention is this product, with weights that follow "
      "from "
      "queries and keys.");
  page.read(
      {.text = "Dive into Deep Learning, 11.3 Attention Scoring Functions",
       .url =
           "https://d2l.ai/chapter_attention-mechanisms-and-transformers/attention-scoring-functions.html"});
}

}  // namespace heed::tour
