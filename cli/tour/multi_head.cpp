// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "multi_head.h"

namespace heed::tour {

MultiHead run_multi_head(std::uint64_t seed) {
  heed::seed(seed);
  const NoGrad guard;
  nn::MultiHeadAttention attention({.hidden = 100, .heads = 5, .dropout = 0.5});
  attention.eval();
  const Tensor x = ones({2, 4, 100});
  const Tensor output = attention(x, x, x, valid_lens({3, 2}));
  return {nn::to_string(attention), attention.parameter_count(), output.shape(),
          attention.attention_weights()};
}

void show(Page& page, const MultiHead& result) {
  page.formula("head_h = attention(W_q x, W_k x, W_v x) on slice h of the width;  y = W_o [head_1 … head_H]");
  page.block(result.tree);
  page.line("{} numbers to learn", result.parameters);
  page.line("(2, 4, 100) → {}", to_string(result.output));
  page.line("weights {}: batch, head, query, key", to_string(result.weights.shape()));
  page.numbers("head 0, query 0 of both batches, lengths 3 and 2", result.weights.select(1, 0).select(1, 0));
  page.picture(viz::Heatmap{.values = result.weights,
                            .x_label = "keys",
                            .y_label = "queries",
                            .panel_titles = {"head 0", "head 1", "head 2", "head 3", "head 4"}});
  page.see("Five heads of width 20 work side by side, and the result is as wide as the input.");
}

}  // namespace heed::tour
