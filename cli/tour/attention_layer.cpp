// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention_layer.h"

#include <cmath>

namespace heed::tour {

AttentionLayerResult run_attention_layer(std::uint64_t seed) {
  heed::seed(seed);
  Tensor x = normal({1, 4, 6});
  x = cat({x.slice(1, {.stop = 3}), x.slice(1, {.stop = 1})}, 1);  // the last position is the first once more
  const OutputAndWeights pooled = attention(x, x, x);
  const Tensor plain = matmul(softmax(matmul(x, x.transpose(-2, -1)) / std::sqrt(6.0)), x);

  nn::AttentionLayer layer({.d_k = 8, .d_input = 6});
  return {.weights = pooled.weights.squeeze(0),
          .is_formula = all_close(pooled.output, plain),
          .tree = nn::to_string(layer),
          .input = x.shape(),
          .output = layer(x, x, x).shape(),
          .parameters = layer.parameter_count()};
}

void print(std::ostream& out, const AttentionLayerResult& result) {
  out << "weights\n" << result.weights << '\n';
  out << "softmax(Q Kᵀ / √d) V gives the same: " << (result.is_formula ? "True" : "False") << '\n';
  out << result.tree << '\n';
  out << result.input << " to " << result.output << " by " << result.parameters
      << " numbers that are learned\n";
}

void show(Page& page, const AttentionLayerResult& result) {
  page.question(
      "Four positions attend to one another, and the last is a copy of the first. What does each of the two "
      "see?");
  page.formula("attention(Q, K, V) = softmax(Q Kᵀ / √d) V,  layer(x) = W_o attention(W_q x, W_k x, W_v x)");
  page.note(
      "The sequence is query, key and value at once. As a layer of a network, attention stands between four "
      "linear maps: "
      "three for what a position asks, offers and tells, one for what becomes of the answer.");
  page.output(result);
  page.picture(viz::Heatmap{
      .values = result.weights, .title = "Who looks at whom", .x_label = "keys", .y_label = "queries"});
  page.see(
      "Rows 0 and 3 are the same, and so are columns 0 and 3: the copies see alike and are seen alike, "
      "wherever "
      "they stand. Four positions go in and four come out, each an average over the whole sequence.");
  page.read({.text = "Dive into Deep Learning, 11.1 Queries, Keys, and Values",
             .url = "https://d2l.ai/chapter_attention-mechanisms-and-transformers/queries-keys-values.html"});
  page.read({.text = "Vaswani and others, Attention Is All You Need (2017)",
             .url = "https://arxiv.org/abs/1706.03762"});
}

}  // namespace heed::tour
