// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/leave_one_out.h"

#include <heed/attend.h>
#include <heed/ops.h>

#include <limits>

namespace heed::regression {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// Results over the points before, or after, each point; where there are none, 0 with a log-sum-exp of -inf.
struct Side {
  Tensor mean;         ///< (n, M)
  Tensor log_sum_exp;  ///< (n, 1)
};

Side side(const AttendResult& result, bool before) {
  const Tensor& out = result.output;
  const Tensor zero = zeros({1, out.size(1)}, out.dtype()), nothing = full({1}, kNothing, out.dtype());
  const Tensor& lse = result.log_sum_exp;
  if (before) return {cat({zero, out}), cat({nothing, lse}).unsqueeze(1)};
  return {cat({out, zero}), cat({lse, nothing}).unsqueeze(1)};
}

}  // namespace

Rows left_out(const Data& data, const Gaussian& score) {
  const std::int64_t n = data.x.size(0);
  const Slice head{.stop = n - 1}, tail{.start = 1};
  const Tensor first_x = data.x.slice(0, head), last_x = data.x.slice(0, tail);
  // Shifted by one against the keys, the diagonal is the point before, or after: the triangles leave the point out.
  const Side before = side(attend_with_weights(last_x, first_x, data.y.slice(0, head),
                                               {.score = score, .mask = window({.right = 0})}),
                           true);
  const Side after = side(attend_with_weights(first_x, last_x, data.y.slice(0, tail),
                                              {.score = score, .mask = window({.left = 0})}),
                          false);
  const Tensor share = sigmoid(before.log_sum_exp - after.log_sum_exp);
  const Tensor both = logsumexp(cat({before.log_sum_exp, after.log_sum_exp}, 1), 1);
  return {share * before.mean + (1 - share) * after.mean, both};
}

}  // namespace heed::regression
