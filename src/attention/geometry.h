// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of queries, keys and values against each other.
#pragma once

#include "attention/call.h"

namespace heed::detail {

/// rank, B, H, Hkv, Lq, Lk and dtype of queries and keys (or values); anything that does not fit is an Error.
AttendSettings pair_geometry(const Tensor& queries, const Tensor& keys);

/// As pair_geometry, with Dv, for a whole call.
AttendSettings call_geometry(const Tensor& queries, const Tensor& keys, const Tensor& values);

}  // namespace heed::detail
