// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "additive.h"

namespace heed::tour {

AdditivePooling run_additive(std::uint64_t seed) {
  heed::seed(seed);
  const Tensor queries = normal({2, 1, 20}), keys = normal({2, 10, 2});
  const Tensor values = arange(40).reshape({1, 10, 4}).expand({2, 10, 4});
  nn::AdditiveAttention attention({.key_size = 2, .query_size = 20, .num_hiddens = 8, .dropout = 0.1});
  attention.eval();
  const Tensor output = attention(queries, keys, values, valid_lens({2, 6}));
  return {.output = output.detach(), .weights = attention.attention_weights()};
}

void print(std::ostream& out, const AdditivePooling& pooling) {
  out << "weights\n" << pooling.weights.squeeze(1) << '\n';
  out << "output\n" << pooling.output.squeeze(1) << '\n';
}

void show(Page& page, const AdditivePooling& pooling) {
  page.question(
      "A query has 20 numbers and a key has 2, so that no product of them exists. How can they be compared?");
  page.formula("a(q, k) = w_v · tanh(W_q q + W_k k)");
  page.note(
      "Both are mapped to 8 numbers and added, and a third map makes one score of the sum. All three maps "
      "are learned; "
      "here they are as they begin. The first query may look at 2 keys, the second at 6.");
  page.output(pooling);
  page.picture(viz::Heatmap{.values = pooling.weights.squeeze(1),
                            .mask = arange(10, i64) < tensor({{2}, {6}}, i64),
                            .title = "Weights of additive attention, lengths 2 and 6",
                            .x_label = "keys",
                            .y_label = "queries"});
  page.see(
      "Before any training the weights differ little: small maps give small scores, and softmax of those is "
      "almost "
      "even. Masked keys get exactly 0, whatever the maps make of them.");
  page.read(
      {.text = "Dive into Deep Learning, 11.3 Attention Scoring Functions",
       .url =
           "https://d2l.ai/chapter_attention-mechanisms-and-transformers/attention-scoring-functions.html"});
  page.read({.text = "Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to Align and "
                     "Translate (2014)",
             .url = "https://arxiv.org/abs/1409.0473"});
}

}  // namespace heed::tour
