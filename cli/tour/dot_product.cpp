// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "dot_product.h"

namespace heed::tour {

DotProductPooling run_dot_product(std::uint64_t seed) {
  heed::seed(seed);
  const Tensor queries = normal({2, 1, 2});
  nn::DotProductAttention attention({.dropout = 0.5});
  attention.eval();
  const Tensor output = attention(queries, toy_keys(), toy_values(), toy_lengths());
  return {{output, attention.attention_weights()}};
}

void show(Page& page, const DotProductPooling& pooling) {
  page.formula("a(q, k) = q · k / √d");
  page.note("queries and keys of 2 numbers");
  show_pooling(page, pooling);
  page.see("Another score, the same weights: equal keys cannot be told apart by any of them.");
}

}  // namespace heed::tour
