// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention_layer.h"

#include <cmath>

namespace heed::tour {

AttentionLayerResult run_attention_layer(std::uint64_t seed) {
  heed::seed(seed);
  const NoGrad guard;
  const Tensor x = normal({1, 4, 6});
  const OutputAndWeights pooled = attention(x, x, x);
  const Tensor scores = matmul(x, x.transpose(-2, -1)) / std::sqrt(6.0);

  nn::AttentionLayer layer({.d_k = 8, .d_input = 6});
  const Tensor y = layer(x, x, x);
  const auto& [to_query, to_key, to_value, to_output] =
      std::tie(layer.linears[0], layer.linears[1], layer.linears[2], layer.linears[3]);
  const Tensor by_hand = to_output(attention(to_query(x), to_key(x), to_value(x)).output);

  return {.weights = pooled.weights.squeeze(0),
          .against_formula = max_difference(pooled.output, matmul(softmax(scores), x)),
          .tree = nn::to_string(layer),
          .input = x.shape(),
          .output = y.shape(),
          .parameters = layer.parameter_count(),
          .against_linears = max_difference(y, by_hand)};
}

void show(Page& page, const AttentionLayerResult& result) {
  page.formula("attention(Q, K, V) = softmax(Q Kᵀ / √d) V;  layer(x) = W_o attention(W_q x, W_k x, W_v x)");
  page.numbers("weights of attention(x, x, x), 4 positions", result.weights);
  page.picture(viz::Heatmap{.values = result.weights, .x_label = "keys", .y_label = "queries"});
  page.note("largest difference to the formula in plain operations: {:.1e}", result.against_formula);
  page.block(result.tree);
  page.line("{} → {}, {} numbers to learn", to_string(result.input), to_string(result.output),
            result.parameters);
  page.note("largest difference to its linear maps around attention(): {:.1e}", result.against_linears);
  page.see("n elements go in, n come out, and each has seen the whole sequence.");
}

}  // namespace heed::tour
