// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "masked_softmax.h"

namespace heed::tour {

MaskedSoftmax run_masked_softmax(std::uint64_t seed) {
  heed::seed(seed);
  const Tensor scores = rand({2, 2, 4});
  return {.scores = scores,
          .per_batch = masked_softmax(scores, tensor({2, 3}, i64)),
          .per_query = masked_softmax(scores, tensor({{1, 3}, {2, 4}}, i64)),
          .nothing_valid = masked_softmax(scores, tensor({0, 4}, i64))};
}

void print(std::ostream& out, const MaskedSoftmax& result) {
  out << "scores\n" << result.scores << '\n';
  out << "lengths 2 and 3, one for each batch\n" << result.per_batch << '\n';
  out << "lengths (1, 3) and (2, 4), one for each query\n" << result.per_query << '\n';
  out << "lengths 0 and 4\n" << result.nothing_valid << '\n';
}

void show(Page& page, const MaskedSoftmax& result) {
  page.question(
      "Sentences of a batch have different lengths, and padding fills them up. How is it kept out of an "
      "average?");
  page.formula("wⱼ = exp(sⱼ) / Σᵢ exp(sᵢ)");
  page.note(
      "The sum goes over the first n scores of a row, where n is the length of its batch or of the query "
      "itself. "
      "The others are masked: they get the weight 0, whatever their score.");
  page.output(result);
  const auto rows = [](const Tensor& x) { return x.reshape({4, 4}); };
  const auto allowed = [](const Tensor& lengths) { return arange(4, i64) < lengths.reshape({4, 1}); };
  page.picture(viz::Heatmap{
      .values = stack({rows(result.per_batch), rows(result.per_query), rows(result.nothing_valid)}),
      .mask = stack({allowed(tensor({2, 2, 3, 3}, i64)), allowed(tensor({1, 3, 2, 4}, i64)),
                     allowed(tensor({0, 0, 4, 4}, i64))}),
      .title = "Weights under three masks; masked pairs are hatched",
      .x_label = "keys",
      .y_label = "batch, query",
      .panel_titles = {"lengths 2, 3", "lengths (1, 3), (2, 4)", "lengths 0, 4"},
      .queries = {"0, 0", "0, 1", "1, 0", "1, 1"}});
  page.see(
      "Each row sums to 1 over its valid part. A row that may look at nothing is 0, so that what is averaged "
      "with it "
      "is 0 as well. (Many programs put a score of -1000000 into masked places, and then such a row averages "
      "the padding.)");
  page.read(
      {.text = "Dive into Deep Learning, 11.3 Attention Scoring Functions",
       .url =
           "https://d2l.ai/chapter_attention-mechanisms-and-transformers/attention-scoring-functions.html"});
}

}  // namespace heed::tour
