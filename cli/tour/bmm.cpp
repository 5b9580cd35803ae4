// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bmm.h"

namespace heed::tour {

Bmm run_bmm() {
  const Tensor X = ones({2, 1, 4}), Y = ones({2, 4, 6});
  const Tensor weights = full({2, 10}, 0.1), values = arange(20).reshape({2, 10});
  return {X.shape(), Y.shape(), bmm(X, Y).shape(), values, bmm(weights.unsqueeze(1), values.unsqueeze(-1))};
}

void show(Page& page, const Bmm& result) {
  page.formula("n products at once:  (n, a, b) × (n, b, c) → (n, a, c)");
  page.line("{} × {} → {}", to_string(result.left), to_string(result.right), to_string(result.product));
  page.numbers("weights of 0.1 × values 0..9 and 10..19", result.pooled.squeeze(2), 1);
  page.picture(viz::Heatmap{.values = result.values,
                            .title = "values, each weighing 0.1",
                            .x_label = "position",
                            .y_label = "batch",
                            .colours = viz::Colours::kBlues});
  page.see("With equal weights, pooling is the plain average of each batch.");
}

}  // namespace heed::tour
