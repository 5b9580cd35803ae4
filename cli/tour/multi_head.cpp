// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "multi_head.h"

namespace heed::tour {

MultiHead run_multi_head(std::uint64_t seed) {
  heed::seed(seed);
  nn::MultiHeadAttention attention({.hidden = 100, .heads = 5, .dropout = 0.5});
  attention.eval();
  const Tensor x = 2 * normal({2, 4, 100});
  const Tensor output = attention(x, x, x, valid_lens({3, 2}));
  return {.tree = nn::to_string(attention),
          .parameters = attention.parameter_count(),
          .input = x.shape(),
          .output = output.shape(),
          .weights = attention.attention_weights()};
}

void print(std::ostream& out, const MultiHead& result) {
  out << result.tree << '\n';
  out << result.input << " to " << result.output << " by " << result.parameters
      << " numbers that are learned\n";
  out << "who the first position of the first sequence looks at, head by head\n";
  out << result.weights[0].select(1, 0) << '\n';
}

void show(Page& page, const MultiHead& result) {
  page.question(
      "One softmax makes one average. How can a position look at several others for several reasons at "
      "once?");
  page.formula("head_h = attention(W_q x, W_k x, W_v x),  y = W_o [head_1 … head_H]");
  page.note(
      "The width of 100 is cut into 5 heads of 20. Each head attends by itself, on its slice of the three "
      "maps, and a "
      "fourth map mixes what they found. The sequences have 3 and 2 valid positions out of 4.");
  page.output(result);
  std::vector<std::string> titles;
  for (int sequence = 0; sequence < 2; ++sequence) {
    for (int head = 0; head < 5; ++head) titles.push_back(fmt::format("seq. {}, head {}", sequence, head));
  }
  page.picture(viz::Heatmap{.values = result.weights,
                            .mask = arange(4, i64) < tensor({3, 2}, i64).reshape({2, 1, 1, 1}),
                            .title = "Weights of five heads; padding is hatched",
                            .x_label = "keys",
                            .y_label = "queries",
                            .panel_titles = titles});
  page.see(
      "No two heads look alike, though nothing has been learned yet: their maps begin at random. None of "
      "them looks at "
      "the padding. The result is as wide as the input, so that such layers can be stacked.");
  page.read({.text = "Dive into Deep Learning, 11.5 Multi-Head Attention",
             .url = "https://d2l.ai/chapter_attention-mechanisms-and-transformers/multihead-attention.html"});
  page.read({.text = "Vaswani and others, Attention Is All You Need (2017)",
             .url = "https://arxiv.org/abs/1706.03762"});
}

}  // namespace heed::tour
