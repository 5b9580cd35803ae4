// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "self_attention.h"

namespace heed::tour {
namespace {

Tensor backwards(const Tensor& x) { return x.slice(0, {.step = -1}); }

}  // namespace

SelfAttentionResult run_self_attention(std::uint64_t seed) {
  heed::seed(seed);
  nn::Embedding embed({.num_embeddings = 4, .embedding_dim = 16, .dtype = f64});
  nn::SelfAttention attend_to_self({.hidden = 16, .heads = 1, .dtype = f64});
  nn::PositionalEncoding encode({.num_hiddens = 16});

  const Tensor sentence = embed(arange(4, i64));
  attend_to_self(sentence);
  const Tensor weights = attend_to_self.attention_weights().squeeze(0).to(f32);
  // The output for the reversed sentence against the output, reversed; in f64, so that rounding is no order.
  const auto differs = [&](const Tensor& there, const Tensor& back) {
    const Tensor forth = attend_to_self(there), reversed = backwards(attend_to_self(back));
    return max(abs(reversed - forth)).item() > 1e-6;
  };
  return {.words = {"我", "喜欢", "吃", "苹果"},
          .weights = weights,
          .order_seen = differs(sentence, backwards(sentence)),
          .order_seen_encoded = differs(encode(sentence), encode(backwards(sentence)))};
}

void print(std::ostream& out, const SelfAttentionResult& result) {
  const auto answer = [](bool yes) { return yes ? "True" : "False"; };
  out << "weights\n" << result.weights << '\n';
  out << "the order is seen without positions: " << answer(result.order_seen) << '\n';
  out << "the order is seen with positions:    " << answer(result.order_seen_encoded) << '\n';
}

void show(Page& page, const SelfAttentionResult& result) {
  page.question(
      "我 喜欢 吃 苹果 says that I like eating apples. 苹果 吃 喜欢 我 is the same words backwards. Does "
      "self-attention notice?");
  page.formula("y = attention(W_q x, W_k x, W_v x)");
  page.note(
      "Each word is a vector of 16 numbers and attends to all four. Then the sentence is turned round, and "
      "the output is "
      "turned back: if the order counts for anything, the two must differ.");
  page.output(result);
  page.picture(viz::Heatmap{.values = result.weights,
                            .title = "Who looks at whom in 我 喜欢 吃 苹果",
                            .x_label = "keys",
                            .y_label = "queries",
                            .queries = result.words,
                            .keys = result.words,
                            .colours = viz::Colours::kBlues});
  page.see(
      "Without positions, turning the sentence round only turns the output round: each word sees the same "
      "words as "
      "before. With a positional encoding added to the words, the same layer sees the order.");
  page.read({.text = "Dive into Deep Learning, 11.6 Self-Attention and Positional Encoding",
             .url = "https://d2l.ai/chapter_attention-mechanisms-and-transformers/"
                    "self-attention-and-positional-encoding.html"});
}

}  // namespace heed::tour
