// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What changes in place share: who may be written, and when a source must be copied first.
#pragma once

#include <heed/tensor.h>

#include <string_view>

namespace heed {

/// An Error if the tape would miss the change, or if several elements of x share memory.
void check_target(const Tensor& x, std::string_view op);
/// As check_target, for a target that takes in `source`: it must broadcast to it, and not lose a gradient.
void check_target(const Tensor& x, const Tensor& source, std::string_view op);

/// `source`, copied if writing target's elements one by one could change what is still to be read.
Tensor safe_source(const Tensor& source, const Tensor& target);

}  // namespace heed
