// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/score.h"
#include "core/check.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace heed::detail {

void check_same_width(const ScoreInputs& inputs, const char* score) {
  check(inputs.queries.size(-1) == inputs.keys.size(-1), "attend",
        "{} needs queries and keys of the same width, found {} and {}", score, inputs.queries.shape(),
        inputs.keys.shape());
}

double largest_factor(Dtype dtype) {
  const double largest = dtype == f32 ? static_cast<double>(std::numeric_limits<float>::max())
                                      : std::numeric_limits<double>::max();
  return largest * std::numbers::ln2;
}

PreparedScore prepare(const ScaledDot& score, const ScoreInputs& inputs) {
  check_same_width(inputs, "ScaledDot");
  const std::int64_t D = inputs.queries.size(-1);
  const double usual = D > 0 ? 1 / std::sqrt(static_cast<double>(D)) : 1;
  const double scale = score.scale.value_or(usual);
  check(std::isfinite(scale), "attend", "ScaledDot.scale must be finite, found {}", scale);
  const Dtype dtype = inputs.queries.dtype();
  check(std::abs(scale) <= largest_factor(dtype), "attend",
        "ScaledDot.scale must lie within +-{:.3g}, as queries are {}, found {}", largest_factor(dtype), dtype,
        scale);
  return {.scale = scale, .queries = inputs.queries, .keys = inputs.keys};
}

PreparedScore prepare(const Dot&, const ScoreInputs& inputs) {
  check_same_width(inputs, "Dot");
  return {.queries = inputs.queries, .keys = inputs.keys};
}

ScoreFacts facts(const Dot&, const Tensor& queries) {
  return {.kind = kernels::ScoreKind::kDot,
          .features = queries.size(-1),
          .flop = 2,
          .how = "queries along the lanes against rows of keys, softmax in the registers"};
}

ScoreFacts facts(const ScaledDot&, const Tensor& queries) { return facts(Dot{}, queries); }

}  // namespace heed::detail
