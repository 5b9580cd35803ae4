// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/call.h"
#include "attention/geometry.h"
#include "attention/mask.h"
#include "attention/score.h"
#include "core/check.h"
#include "kernels/table.h"

#include <heed/explain.h>
#include <heed/runtime.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heed {
namespace {

/// How many keys a row meets is linear between the rows at which an end of the band enters or leaves the keys.
double pairs_in_band(const detail::AttendSettings& s) {
  const std::int64_t far = s.Lq + s.Lk, low = std::max(s.low, -far), high = std::min(s.high, far);
  const auto keys_of = [&](std::int64_t row) {
    const std::int64_t first = std::max<std::int64_t>(0, row + low), last = std::min(s.Lk, row + high + 1);
    return static_cast<double>(std::max<std::int64_t>(0, last - first));
  };
  std::array<std::int64_t, 6> bends = {0, -low, s.Lk - low, -high - 1, s.Lk - high - 1, s.Lq};
  for (std::int64_t& row : bends) row = std::clamp<std::int64_t>(row, 0, s.Lq);
  std::ranges::sort(bends);
  double pairs = 0;
  for (std::size_t i = 1; i < bends.size(); ++i) {
    const std::int64_t rows = bends[i] - bends[i - 1];
    if (rows > 0) pairs += static_cast<double>(rows) * (keys_of(bends[i - 1]) + keys_of(bends[i] - 1)) / 2;
  }
  return static_cast<double>(s.B) * static_cast<double>(s.H) * pairs;
}

std::string bytes_text(std::size_t bytes) {
  const double b = static_cast<double>(bytes);
  return b < 1e4   ? fmt::format("{} bytes", bytes)
         : b < 1e7 ? fmt::format("{:.0f} kB", b / 1e3)
                   : fmt::format("{:.0f} MB", b / 1e6);
}

}  // namespace

Explanation explain(const Tensor& queries, const Tensor& keys, const Tensor& values,
                    const AttendOptions& options) {
  detail::AttendSettings s = detail::call_geometry(queries, keys, values);
  detail::AttendOperands operands{.queries = queries, .keys = keys, .values = values, .bias = options.bias};
  detail::apply_mask(options.mask, s, operands, "explain");
  const detail::ScoreFacts score =
      std::visit([&](const auto& chosen) { return detail::facts(chosen, queries); }, options.score);
  s.score = score.kind;
  s.D = score.features;
  s.softcap = options.softcap.value_or(0);
  s.dropout.threshold = static_cast<std::uint32_t>(std::lround(options.dropout * 65536));
  const kernels::AttendPlan plan =
      kernels::kernels_for(queries).attend_plan(detail::make_problem(s, operands));

  Explanation e;
  e.kernel = plan.few_rows ? "few rows" : "tiles";
  e.tier = plan.tier;
  e.how =
      plan.few_rows ? "one pass over keys and values for all heads that share them, backward too" : score.how;
  e.query_rows = plan.query_rows;
  e.key_rows = plan.key_rows;
  e.chunk_rows = plan.chunk_rows;
  e.forward_tasks = plan.forward_tasks;
  e.backward_tasks = plan.backward_tasks;
  e.pairs = pairs_in_band(s);
  const double pairs = e.pairs, pooled = 2 * static_cast<double>(s.Dv);
  const double scored = score.flop * static_cast<double>(s.D);
  e.forward_flop = pairs * (scored + pooled);
  // Scores again, their gradient with respect to queries and keys, and values' and weights' gradients.
  e.backward_flop = pairs * (3 * scored + 2 * pooled);
  e.forward_bytes = plan.forward_bytes;
  e.backward_bytes = plan.backward_bytes;

  if (plan.few_rows) {
    e.alternatives.push_back({"tiles", "with so few rows most of its lanes would be empty"});
  } else {
    e.alternatives.push_back({"few rows", plan.why_not_few_rows});
  }
  // The best comes first: a tier before the one that runs was passed over because another was asked for.
  bool better = true;
  for (const std::string& tier : simd_tiers()) {
    if (tier == e.tier) {
      better = false;
    } else {
      e.alternatives.push_back(
          {"tier " + tier, better ? fmt::format("{} was asked for, by HEED_SIMD or set_simd_tier", e.tier)
                                  : fmt::format("this CPU has {}, which is faster", e.tier)});
    }
  }
  e.alternatives.push_back({"reference", "plain loops in f64: the meaning of attend, for tests"});
  return e;
}

std::string Explanation::text() const {
  std::string out = fmt::format("kernel      {}, {}\n            {}\n", kernel, tier, how);
  out += fmt::format("blocks      {} queries x {} keys, merged every {} keys\n", query_rows, key_rows,
                     chunk_rows);
  out += fmt::format("tasks       {} forward, {} backward\n", forward_tasks, backward_tasks);
  out += fmt::format("work        {} pairs, {:.3g} GFLOP forward, {:.3g} backward\n", pairs,
                     forward_flop / 1e9, backward_flop / 1e9);
  out += fmt::format("workspace   {} forward, {} backward\n", bytes_text(forward_bytes),
                     bytes_text(backward_bytes));
  for (const Alternative& a : alternatives) out += fmt::format("not         {}: {}\n", a.kernel, a.why_not);
  return out;
}

}  // namespace heed
