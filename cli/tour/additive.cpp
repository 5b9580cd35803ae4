// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "additive.h"

namespace heed::tour {

AdditivePooling run_additive(std::uint64_t seed) {
  heed::seed(seed);
  const Tensor queries = normal({2, 1, 20});
  nn::AdditiveAttention attention({.key_size = 2, .query_size = 20, .num_hiddens = 8, .dropout = 0.1});
  attention.eval();
  const NoGrad guard;
  const Tensor output = attention(queries, toy_keys(), toy_values(), toy_lengths());
  return {{output, attention.attention_weights()}};
}

void show(Page& page, const AdditivePooling& pooling) {
  page.formula("a(q, k) = w_v · tanh(W_q q + W_k k)");
  page.note("queries of 20 numbers, keys of 2, hidden size 8");
  show_pooling(page, pooling);
  page.see("All keys are alike, so the weights are even within the length, whatever the query.");
}

}  // namespace heed::tour
