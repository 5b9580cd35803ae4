#include "regression/search_range.h"

#include <cmath>
#include <numbers>

namespace heed::regression {

Interval search_range(const Column& column) {
  return {.low = std::log(column.gap / 8),
          .high = std::log(4 * column.range),
          .step = std::numbers::ln2 / 2,
          .tolerance = 0.005};
}

}  // namespace heed::regression
