// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What each score does before the kernel: projections and parameters, O(L) work on the tape. The kernel then sees
// queries and keys of one width D and at most one vector of weights.
#pragma once

#include "attention/call.h"

#include <heed/attend.h>

namespace heed::detail {

struct PreparedScore {
  kernels::ScoreKind kind = kernels::ScoreKind::kDot;
  double scale = 1;
  Tensor queries = {}, keys = {};
  Tensor weights = {};  ///< (D), in the queries' dtype, or undefined
};

/// What a score may look at besides its own parameters.
struct ScoreInputs {
  const Tensor& queries;
  const Tensor& keys;
  const AttendOptions& options;
};

/// What explain says of a score; takes no time.
struct ScoreFacts {
  kernels::ScoreKind kind;
  std::int64_t features;  ///< that its sums run over
  double flop;            ///< multiplications and additions per pair and feature
  const char* how;        ///< the engine computes it
};

PreparedScore prepare(const ScaledDot& score, const ScoreInputs& inputs);
PreparedScore prepare(const Dot& score, const ScoreInputs& inputs);
PreparedScore prepare(const Gaussian& score, const ScoreInputs& inputs);
PreparedScore prepare(const Additive& score, const ScoreInputs& inputs);

ScoreFacts facts(const ScaledDot& score, const Tensor& queries);
ScoreFacts facts(const Dot& score, const Tensor& queries);
ScoreFacts facts(const Gaussian& score, const Tensor& queries);
ScoreFacts facts(const Additive& score, const Tensor& queries);

/// The largest factor a score may have: the kernels take powers of 2, so it is multiplied by log2(e), in `dtype`.
double largest_factor(Dtype dtype);

/// For scores that compare queries and keys feature by feature.
void check_same_width(const ScoreInputs& inputs, const char* score);

}  // namespace heed::detail
