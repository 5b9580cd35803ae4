// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Weights on demand: recomputed from the call's queries, keys and log-sum-exp.
#include "attention/call.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"

#include <numeric>

namespace heed {
namespace {

/// The chosen indices, or 0..count-1 if none were chosen.
std::vector<std::int64_t> chosen(const std::vector<std::int64_t>& indices, std::int64_t count,
                                 const char* what) {
  std::vector<std::int64_t> result = indices;
  if (result.empty()) {
    result.resize(static_cast<std::size_t>(count));
    std::iota(result.begin(), result.end(), 0);
  }
  for (std::int64_t& index : result) {
    check(index >= -count && index < count, "attention_weights", "{} {} does not exist, there are {}", what,
          index, count);
    if (index < 0) index += count;
  }
  return result;
}

}  // namespace

Tensor AttentionWeights::operator()(const WeightsPart& part) const {
  check(available(), "attention_weights", "nothing was attended to yet");
  const detail::AttendSettings& s = call_->settings;
  check(s.rank == 4 || part.heads.empty(), "attention_weights", "the call had no heads to choose from");
  const std::vector<std::int64_t> heads = chosen(part.heads, s.H, "head");
  const std::vector<std::int64_t> rows = chosen(part.rows, s.Lq, "row");
  detail::AttendSettings selected = s;
  selected.H = static_cast<std::int64_t>(heads.size());
  selected.Lq = static_cast<std::int64_t>(rows.size());
  const Tensor out = empty(selected.score_shape(), s.dtype);
  const detail::AttendOperands operands = call_->operands();
  kernels::kernels_for(out).attend_weights({.problem = detail::make_problem(s, operands),
                                            .log_sum_exp = detail::raw(call_->log_sum_exp),
                                            .heads = heads.data(),
                                            .rows = rows.data(),
                                            .head_count = selected.H,
                                            .row_count = selected.Lq,
                                            .out = detail::raw_mutable(out)});
  return out;
}

}  // namespace heed
