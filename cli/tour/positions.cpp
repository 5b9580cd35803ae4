// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "positions.h"

#include <bitset>

namespace heed::tour {

Positions run_positions() {
  const Tensor table = nn::sinusoidal_encoding(60, 32);
  return {.table = table, .alike = matmul(table, table.transpose(0, 1))};
}

void print(std::ostream& out, const Positions& positions) {
  const Tensor& alike = positions.alike;
  out << "columns 6 to 9 of rows 0, 10, … 50\n";
  out << positions.table.slice(0, {.step = 10}).slice(1, {.start = 6, .stop = 10}) << '\n';
  out << "how alike positions 0, 1, … 5 are to 0:    " << alike[0].slice(0, {.stop = 6}) << '\n';
  out << "how alike positions 20, 21, … 25 are to 20: " << alike[20].slice(0, {.start = 20, .stop = 26})
      << '\n';
  out << "0 to 7 in binary:";
  for (unsigned i = 0; i < 8; ++i) out << ' ' << std::bitset<3>(i);
  out << '\n';
}

void show(Page& page, const Positions& positions) {
  page.question(
      "Attention does not see where a word stands. What can be added to the words so that near ones look "
      "near, "
      "at every place of the sentence?");
  page.formula("P[p, 2i] = sin(p / 10000^(2i/d)),  P[p, 2i+1] = cos(p / 10000^(2i/d))");
  page.note(
      "Each pair of columns is a clock hand, and each pair turns more slowly than the one before, like the "
      "digits of a "
      "binary number read from the right. How alike two positions are is the product of their rows.");
  page.output(positions);
  viz::Chart curves{.series = {}, .title = "Columns 6 to 9 of the encoding", .x_label = "row (position)"};
  for (std::int64_t column = 6; column < 10; ++column) {
    curves.series.push_back(
        {.name = fmt::format("column {}", column), .x = arange(60), .y = positions.table.select(1, column)});
  }
  page.picture(curves);
  page.picture(viz::Heatmap{.values = positions.table,
                            .title = "The encoding: positive red, negative blue",
                            .x_label = "column (encoding dimension)",
                            .y_label = "row (position)"});
  page.picture(viz::Heatmap{.values = positions.alike,
                            .title = "How alike two positions are",
                            .x_label = "position",
                            .y_label = "position"});
  page.see(
      "The two rows of likeness are the same: it depends on the distance of two positions and not on where "
      "they stand. "
      "The picture shows it as stripes along the diagonal, strongest on the diagonal itself.");
  page.read({.text = "Dive into Deep Learning, 11.6 Self-Attention and Positional Encoding",
             .url = "https://d2l.ai/chapter_attention-mechanisms-and-transformers/"
                    "self-attention-and-positional-encoding.html"});
  page.read({.text = "Vaswani and others, Attention Is All You Need (2017)",
             .url = "https://arxiv.org/abs/1706.03762"});
}

}  // namespace heed::tour
