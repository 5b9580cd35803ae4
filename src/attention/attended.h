// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which rows take part at all. A masked key may hold NaN, and so may a query with nothing to attend to; the kernels skip
// them, but a projection's weight gradient would multiply their zero gradients by that NaN. Such rows are therefore
// replaced by zeros before any projection.
#pragma once

#include <heed/attend.h>

namespace heed {

namespace detail {

/// boolean (B, H, Lq) and (B, Hkv, Lk), true where a row takes part in some pair; undefined when every row does.
struct AttendedRows {
  Tensor queries, keys;
};
AttendedRows attended_rows(const Tensor& queries, const Tensor& keys, const AttendOptions& options);

/// x (L, D), (B, L, D) or (B, H, L, D) with rows outside `rows` replaced by 0, by selection and on the tape; x itself if
/// `rows` is undefined.
Tensor keep_rows(const Tensor& x, const Tensor& rows);

}  // namespace detail

/// What a module is about to project, (B, L, D) or (L, D) all three.
struct Sequences {
  Tensor queries = {}, keys = {}, values = {};
};

/// The same with the rows that take part in no pair replaced by 0. `heads` > 0: the mask is one for scores
/// (B, heads, Lq, Lk).
Sequences zero_unattended(const Sequences& x, const Mask& mask, std::int64_t heads = 0);

}  // namespace heed
