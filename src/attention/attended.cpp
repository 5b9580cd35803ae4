// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/attended.h"

#include "attention/call.h"
#include "attention/geometry.h"
#include "attention/mask.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"

#include <heed/ops.h>

#include <algorithm>
#include <span>

namespace heed {
namespace detail {
namespace {

/// Undefined if every row takes part.
Tensor unless_all(const Tensor& rows) {
  const std::span entries(rows.data<bool>(), static_cast<std::size_t>(rows.numel()));
  return std::ranges::find(entries, false) == entries.end() ? Tensor() : rows;
}

AttendedRows find_rows(AttendSettings settings, const AttendOptions& options) {
  const bool pairs = settings.Lq > 0 && settings.Lk > 0;
  if (pairs && options.mask.empty() && !options.bias.defined()) return {};
  AttendOperands operands{.bias = options.bias.defined() ? options.bias.detach() : Tensor()};
  apply_mask(options.mask, settings, operands, "attend");
  const Tensor queries = zeros({settings.B, settings.H, settings.Lq}, boolean),
               keys = zeros({settings.B, settings.Hkv, settings.Lk}, boolean);
  kernels::kernels_for(keys).attended(
      {make_problem(settings, operands), queries.mutable_data<bool>(), keys.mutable_data<bool>()});
  return {unless_all(queries), unless_all(keys)};
}

/// (B, L): whether a row takes part for any head.
Tensor by_any_head(const Tensor& rows) { return rows.defined() ? sum(rows, 1) > 0 : rows; }

}  // namespace

AttendedRows attended_rows(const Tensor& queries, const Tensor& keys, const AttendOptions& options) {
  return find_rows(pair_geometry(queries, keys), options);
}

Tensor keep_rows(const Tensor& x, const Tensor& rows) {
  if (!rows.defined()) return x;
  Shape one_per_row = x.shape();
  one_per_row[x.rank() - 1] = 1;
  return where(rows.reshape(one_per_row), x, zeros({}, x.dtype()));
}

}  // namespace detail

Sequences zero_unattended(const Sequences& x, const Mask& mask, std::int64_t heads) {
  detail::AttendSettings settings = detail::pair_geometry(x.queries, x.keys);
  if (heads > 0) {
    settings.rank = 4;
    settings.H = settings.Hkv = heads;
  }
  detail::AttendedRows rows = detail::find_rows(settings, {.mask = mask});
  if (heads > 0) rows = {detail::by_any_head(rows.queries), detail::by_any_head(rows.keys)};
  Sequences kept{.queries = detail::keep_rows(x.queries, rows.queries),
                 .keys = detail::keep_rows(x.keys, rows.keys)};
  // Usually one tensor, which is then read once.
  kept.values = x.keys.impl() == x.values.impl() ? kept.keys : detail::keep_rows(x.values, rows.keys);
  return kept;
}

}  // namespace heed
