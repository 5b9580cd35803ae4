// Predictions of each point from all the others, by two calls of attend() over strict triangles: linear memory, nothing
// subtracted and so nothing cancelled, and a gradient.
#pragma once

#include "regression/data.h"

#include <heed/score.h>

namespace heed::regression {

/// Some rows of results, of which some may be lost.
struct Rows {
  Tensor values;  ///< (n, M)
  Tensor lost;    ///< (n,) boolean: every score overflowed to -inf, so that no point has weight
};

/// On the tape where the score is. With one point, that row is lost.
Rows left_out(const Data& data, const Gaussian& score);

}  // namespace heed::regression
