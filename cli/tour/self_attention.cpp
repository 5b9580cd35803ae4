// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "self_attention.h"

namespace heed::tour {

SelfAttentionResult run_self_attention(std::uint64_t seed) {
  heed::seed(seed);
  const NoGrad guard;
  // In f64, so that sums in another order agree in every bit of f32.
  const nn::Embedding embed({.num_embeddings = 4, .embedding_dim = 16, .dtype = f64});
  nn::SelfAttention attend_to_self({.hidden = 16, .heads = 1, .dtype = f64});
  nn::PositionalEncoding encode({.num_hiddens = 16});

  const auto backwards = [](const Tensor& x) { return x.slice(0, {.step = -1}); };
  const Tensor words = embed(arange(4, i64));  // 我 喜欢 吃 苹果
  const Tensor output = attend_to_self(words).to(f32);
  const Tensor weights = attend_to_self.attention_weights().squeeze(0);
  const Tensor of_reversed = attend_to_self(backwards(words)).to(f32);  // 苹果 吃 喜欢 我
  const Tensor encoded = attend_to_self(encode(words)).to(f32);
  const Tensor of_reversed_encoded = attend_to_self(encode(backwards(words))).to(f32);
  return {.words = {"我", "喜欢", "吃", "苹果"},
          .weights = weights,
          .reversed = max_difference(of_reversed, backwards(output)),
          .reversed_identical = identical(of_reversed, backwards(output)),
          .reversed_encoded = max_difference(of_reversed_encoded, backwards(encoded))};
}

void show(Page& page, const SelfAttentionResult& result) {
  page.formula("y = attention(W_q x, W_k x, W_v x)  of one sentence x");
  page.table({result.words, result.words}, result.weights);
  page.picture(viz::Heatmap{.values = result.weights,
                            .x_label = "keys",
                            .y_label = "queries",
                            .queries = result.words,
                            .keys = result.words,
                            .colours = viz::Colours::kBlues});
  page.note("苹果 吃 喜欢 我 against the output of 我 喜欢 吃 苹果, reversed:");
  page.note("largest difference {}, {}", result.reversed,
            result.reversed_identical ? "the same bits" : "not the same bits");
  page.note("with a positional encoding added first: {:.4f}", result.reversed_encoded);
  page.see("Self-attention does not know the order of words. A positional encoding tells it.");
}

}  // namespace heed::tour
