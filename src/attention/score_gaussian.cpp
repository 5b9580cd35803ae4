// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/score.h"
#include "core/check.h"

#include <heed/ops.h>

#include <cmath>

namespace heed::detail {
namespace {

/// Of a scalar or a (D) tensor, or of a number, in the order in which they come.
std::vector<double> entries(const Gaussian::Width& width, const char* field, std::int64_t D) {
  if (width.number()) return {*width.number()};
  const Tensor& x = width.tensor();
  check_floating(x, "attend", field);
  check(x.numel() == 1 || x.shape() == Shape{D}, "attend", "{} must be a scalar or have shape {}, found {}",
        field, Shape{D}, x.shape());
  return x.to_vector();
}

/// The width as a (D) tensor of the given dtype, on the tape if it is learnt.
Tensor per_feature(const Gaussian::Width& width, std::int64_t D, Dtype dtype) {
  if (width.number()) return full({D}, *width.number(), dtype);
  const Tensor& x = width.tensor();
  return x.to(dtype).reshape({x.numel()}).expand({D});
}

/// That x, made of `given`, is finite; says what was given, which may be of a wider type.
void check_finite(const Tensor& x, const std::vector<double>& given, const char* field, const char* what) {
  const std::vector<double> found = x.to_vector();
  for (std::size_t i = 0; i < found.size(); ++i) {
    check(std::isfinite(found[i]), "attend", "{} must {} finite, as queries are {}, found {}", field, what,
          x.dtype(), given[given.size() == 1 ? 0 : i]);
  }
}

/// 1/h per feature. 1/inf = 0, whose gradient is 0 and not NaN.
Tensor inverse(const Gaussian& score, std::int64_t D, Dtype dtype) {
  if (score.bandwidth.given()) {
    const char* field = "Gaussian.bandwidth";
    const std::vector<double> given = entries(score.bandwidth, field, D);
    for (double h : given) check(h > 0, "attend", "{} must be positive, found {}", field, h);
    Tensor w = 1 / per_feature(score.bandwidth, D, dtype);
    check_finite(w, given, field, "have an inverse that is");
    return w;
  }
  if (!score.w.given()) return ones({D}, dtype);
  const std::vector<double> given = entries(score.w, "Gaussian.w", D);
  Tensor w = per_feature(score.w, D, dtype);
  check_finite(w, given, "Gaussian.w", "be");
  return w;
}

}  // namespace

PreparedScore prepare(const Gaussian& score, const ScoreInputs& inputs) {
  check_same_width(inputs, "Gaussian");
  check(!(score.bandwidth.given() && score.w.given()), "attend",
        "Gaussian: give bandwidth or w (its inverse), not both");
  const Tensor w = inverse(score, inputs.queries.size(-1), inputs.queries.dtype());
  return {.kind = kernels::ScoreKind::kGaussian,
          .queries = inputs.queries,
          .keys = inputs.keys,
          .weights = w.contiguous()};
}

ScoreFacts facts(const Gaussian&, const Tensor& queries) {
  return {.kind = kernels::ScoreKind::kGaussian,
          .features = queries.size(-1),
          .flop = 4,
          .how = "differences first, then squares: large offsets do not cancel"};
}

}  // namespace heed::detail
