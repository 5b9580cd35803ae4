#include "attention/score.h"
#include "core/check.h"

#include <heed/ops.h>

#include <cmath>

namespace heed::detail {
namespace {

/// The width as a (D) tensor of the given dtype, on the tape if it is learnt.
Tensor per_feature(const Gaussian::Width& width, const char* field, std::int64_t D, Dtype dtype) {
  if (width.number()) return full({D}, *width.number(), dtype);
  const Tensor& x = width.tensor();
  check_floating(x, "attend", field);
  check(x.numel() == 1 || x.shape() == Shape{D}, "attend", "{} must be a scalar or have shape {}, found {}",
        field, Shape{D}, x.shape());
  return x.to(dtype).reshape({x.numel()}).expand({D});
}

void check_entries(const Tensor& x, const char* field, const char* expected, bool (*valid)(double)) {
  for (double entry : x.to_vector())
    check(valid(entry), "attend", "{} must be {}, found {}", field, expected, entry);
}

/// 1/h per feature. 1/inf = 0, whose gradient is 0 and not NaN.
Tensor inverse(const Gaussian& score, std::int64_t D, Dtype dtype) {
  if (score.bandwidth.given()) {
    const Tensor h = per_feature(score.bandwidth, "Gaussian.bandwidth", D, dtype);
    check_entries(h, "Gaussian.bandwidth", "positive", [](double x) { return x > 0; });
    return 1 / h;
  }
  if (!score.w.given()) return ones({D}, dtype);
  const Tensor w = per_feature(score.w, "Gaussian.w", D, dtype);
  check_entries(w, "Gaussian.w", "finite", [](double x) { return std::isfinite(x); });
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
