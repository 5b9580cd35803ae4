// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "toy.h"

namespace heed::tour {

void show_pooling(Page& page, const Pooling& pooling) {
  const Tensor weights = pooling.weights.squeeze(1);
  page.numbers("output, lengths 2 and 6", pooling.output.squeeze(1), 2);
  page.numbers("weights (query down, key across)", weights);
  page.picture(viz::Heatmap{.values = weights, .x_label = "Keys", .y_label = "Queries"});
}

}  // namespace heed::tour
