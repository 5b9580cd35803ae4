// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The operands of attend() from files and from numbers on the command line.
#pragma once

#include "attend/call.h"

namespace heed::command {

/// f32 or f64; integers become f64. Booleans are an Error.
Tensor load_floats(const std::string& address, const CsvOptions& csv);

/// A column (L,) as rows of one number, (L, 1).
Tensor as_rows(const Tensor& x);

/// Boolean; numbers must be 0 or 1.
Tensor load_mask(const std::string& address, const CsvOptions& csv);

/// "2,6", "1,2;3,4" or a file of whole numbers: (B,) or (B, Lq). Queries without batches may have (Lq,).
Tensor read_lengths(const MaskFlags& flags, const Tensor& queries);
/// The same as they are.
Tensor read_lengths(const std::string& text, const CsvOptions& csv);

Score read_score(const AttendFlags& flags, Dtype dtype);

/// Causal and window as one band; nothing if neither is given. An Error if Lq and Lk differ and no corner is named.
std::optional<WindowOptions> read_band(const MaskFlags& flags, std::int64_t Lq, std::int64_t Lk);

}  // namespace heed::command
