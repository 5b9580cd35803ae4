// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "masked_softmax.h"

namespace heed::tour {

MaskedSoftmax run_masked_softmax(std::uint64_t seed) {
  heed::seed(seed);
  const Tensor scores = rand({2, 2, 4});
  return {scores, masked_softmax(scores, tensor({2, 3}, i64)),
          masked_softmax(scores, tensor({{1, 3}, {2, 4}}, i64)), masked_softmax(scores, tensor({0, 4}, i64))};
}

void show(Page& page, const MaskedSoftmax& result) {
  const auto rows = [](const Tensor& x) { return x.reshape({4, 4}); };
  page.formula("wⱼ = exp(sⱼ) / Σᵢ exp(sᵢ)  over the first n scores of a row,  wⱼ = 0 for the others");
  page.numbers("scores, 2 batches of 2 queries and 4 keys", rows(result.scores));
  page.numbers("lengths 2, 3: one per batch", rows(result.per_batch));
  page.numbers("lengths (1, 3), (2, 4): one per query", rows(result.per_query));
  page.numbers("lengths 0, 4: nothing to look at in the first batch", rows(result.nothing_valid));
  page.picture(viz::Heatmap{
      .values = stack({rows(result.per_batch), rows(result.per_query), rows(result.nothing_valid)}),
      .x_label = "keys",
      .y_label = "batch and query",
      .panel_titles = {"lengths 2, 3", "(1, 3), (2, 4)", "0, 4"},
      .queries = {"0, 0", "0, 1", "1, 0", "1, 1"}});
  page.see("Each row sums to 1 over its valid part. A row with nothing to look at is all 0.");
}

}  // namespace heed::tour
