// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/attended.h"
#include "attention/project.h"
#include "attention/score.h"
#include "core/check.h"

namespace heed::detail {
namespace {

void check_projection(const Tensor& W, const char* field, const Tensor& x, const char* argument) {
  check_floating(W, "attend", field);
  check(W.rank() == 2 && W.size(1) == x.size(-1), "attend",
        "{} must have shape (hidden, {}) for {} of shape {}, found {}", field, x.size(-1), argument,
        x.shape(), W.shape());
}

}  // namespace

PreparedScore prepare(const Additive& score, const ScoreInputs& inputs) {
  check_projection(score.W_q, "Additive.W_q", inputs.queries, "queries");
  check_projection(score.W_k, "Additive.W_k", inputs.keys, "keys");
  const std::int64_t hidden = score.W_q.size(0);
  check(score.W_k.size(0) == hidden, "attend",
        "Additive.W_q and W_k must have the same hidden size, found {} and {}", score.W_q.shape(),
        score.W_k.shape());
  check_floating(score.w_v, "attend", "Additive.w_v");
  check(score.w_v.shape() == Shape{hidden} || score.w_v.shape() == Shape{1, hidden}, "attend",
        "Additive.w_v must have shape {} or {}, found {}", Shape{hidden}, Shape{1, hidden},
        score.w_v.shape());
  const Dtype dtype = inputs.queries.dtype();
  // The gradients of W_q and W_k are sums over all rows; those no pair uses may hold anything and must add 0.
  const AttendedRows rows = attended_rows(inputs.queries, inputs.keys, inputs.options);
  const Tensor queries = keep_rows(inputs.queries, rows.queries);
  const Tensor keys = keep_rows(inputs.keys, rows.keys);
  return {.kind = kernels::ScoreKind::kAdditive,
          .queries = project(queries, score.W_q.to(dtype), {}, Overflow::kRecovered),
          .keys = project(keys, score.W_k.to(dtype), {}, Overflow::kRecovered),
          .weights = score.w_v.to(dtype).reshape({hidden}).contiguous()};
}

ScoreFacts facts(const Additive& score, const Tensor& queries) {
  check_projection(score.W_q, "Additive.W_q", queries, "queries");
  return {
      .kind = kernels::ScoreKind::kAdditive,
      .features = score.W_q.size(0),
      .flop = 5,
      .how = "exponentials per row, four terms to a division; rows that leave their range go term by term"};
}

}  // namespace heed::detail
