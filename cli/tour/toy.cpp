#include "toy.h"

namespace heed::tour {

void show_pooling(Page& page, const Pooling& pooling) {
  const Tensor weights = pooling.weights.squeeze(1);
  page.numbers("output, lengths 2 and 6", pooling.output.squeeze(1), 2);
  page.numbers("weights (query down, key across)", weights);
  for (std::int64_t i = 0; i < weights.size(0); ++i)
    page.line("  query {} [{}]", i, shading(weights[i].to_vector(), 0, 0.5));
}

}  // namespace heed::tour
