// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Masks meet shapes here: terms are checked against a call and folded into one band, one length per row and one
// boolean tensor.
#pragma once

#include "attention/call.h"

#include <heed/mask.h>

#include <string_view>

namespace heed::detail {

/// Sets low, high of settings and lengths, allowed of operands.
void apply_mask(const Mask& mask, AttendSettings& settings, AttendOperands& operands, std::string_view op);

}  // namespace heed::detail
