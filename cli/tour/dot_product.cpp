// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "dot_product.h"

#include <numbers>

namespace heed::tour {

DotProductPooling run_dot_product() {
  const Tensor angles = arange(10) * (2 * std::numbers::pi / 10);
  const Tensor dial = stack({cos(angles), sin(angles)}, 1);  // ten keys around a circle
  const Tensor keys = stack({dial, dial});
  const Tensor queries = 4 * stack({dial[2], dial[8]}).unsqueeze(1);
  const Tensor values = arange(10).reshape({1, 10, 1}).expand({2, 10, 1});
  nn::DotProductAttention attention({.dropout = 0.5});
  attention.eval();
  const Tensor output = attention(queries, keys, values, valid_lens({10, 6}));
  return {.output = output.reshape({2}), .weights = attention.attention_weights().squeeze(1)};
}

void print(std::ostream& out, const DotProductPooling& pooling) {
  out << "weights\n" << pooling.weights << '\n';
  out << "output: " << pooling.output << '\n';
}

void show(Page& page, const DotProductPooling& pooling) {
  page.question(
      "Ten keys stand around a circle like hours on a dial. Where does a query look that points at hour 2, "
      "and "
      "where one that points at hour 8, if it may see only the hours 0 to 5?");
  page.formula("a(q, k) = q · k / √d");
  page.note(
      "The product of two directions is large where they agree and negative where they are opposite. The "
      "queries are "
      "four times as long as the keys, which sharpens their view. The value of a key is its hour.");
  page.output(pooling);
  page.picture(viz::Heatmap{.values = pooling.weights,
                            .mask = arange(10, i64) < tensor({{10}, {6}}, i64),
                            .title = "Weights of the hours, lengths 10 and 6",
                            .x_label = "hour",
                            .y_label = "query",
                            .queries = {"at 2", "at 8"}});
  page.see(
      "The first query looks at hour 2, and alike at its neighbours on both sides. Hour 8 is masked for the "
      "second: it "
      "turns to hour 0, which is nearest to 8 of those it may see. Longer queries would look at one hour "
      "alone.");
  page.read(
      {.text = "Dive into Deep Learning, 11.3 Attention Scoring Functions",
       .url =
           "https://d2l.ai/chapter_attention-mechanisms-and-transformers/attention-scoring-functions.html"});
  page.read({.text = "Vaswani and others, Attention Is All You Need (2017)",
             .url = "https://arxiv.org/abs/1706.03762"});
}

}  // namespace heed::tour
