// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "dropout.h"

namespace heed::tour {

DropoutResult run_dropout(std::uint64_t seed) {
  heed::seed(seed);
  const Tensor queries = normal({1, 2}), keys = normal({10, 2}), values = rand({10, 4});
  nn::DotProductAttention attention({.dropout = 0.5});
  const auto pool = [&] { return attention(queries, keys, values).squeeze(0); };

  attention.train();
  std::vector<Tensor> outputs;
  for (int run = 0; run < 4000; ++run) outputs.push_back(pool());
  attention.eval();
  return {.first = outputs[0], .second = outputs[1], .average = mean(stack(outputs), 0), .evaluated = pool()};
}

void print(std::ostream& out, const DropoutResult& result) {
  out << "in training:        " << result.first << '\n';
  out << "in training, again: " << result.second << '\n';
  out << "average of 4000:    " << result.average << '\n';
  out << "in evaluation:      " << result.evaluated << '\n';
}

void show(Page& page, const DropoutResult& result) {
  page.question(
      "Half of all weights are thrown away at random while a network learns. What does that do to its "
      "answers, then and "
      "later?");
  page.formula("w → 0,  w → w / (1 - p)");
  page.note(
      "In training each weight becomes 0 with probability p, here one half, and is divided by 1 - p "
      "otherwise. In "
      "evaluation all weights stay as they are. The same query is asked 4000 times in training and once "
      "after it.");
  page.output(result);
  const auto marks = [](const char* name, const Tensor& y) -> viz::Series {
    return {.name = name, .x = arange(y.numel()), .y = y, .style = viz::Series::Style::kPoints};
  };
  page.picture(viz::Chart{
      .series = {marks("in training", result.first), marks("in training, again", result.second),
                 marks("average of 4000", result.average), marks("in evaluation", result.evaluated)},
      .title = "Four outputs of one query",
      .x_label = "output",
      .y_label = "value"});
  page.see(
      "In training the output jumps about. Its average is what evaluation gives, for the division makes up "
      "for what is "
      "thrown away. Evaluation itself never varies.");
  page.read({.text = "Dive into Deep Learning, 5.6 Dropout",
             .url = "https://d2l.ai/chapter_multilayer-perceptrons/dropout.html"});
  page.read(
      {.text =
           "Srivastava and others, Dropout: A Simple Way to Prevent Neural Networks from Overfitting (2014)",
       .url = "https://jmlr.org/papers/v15/srivastava14a.html"});
}

}  // namespace heed::tour
