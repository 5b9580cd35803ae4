// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scaled dot-product attention on the same toy.
#pragma once

#include "toy.h"

#include <cstdint>

namespace heed::tour {

struct DotProductPooling : Pooling {};

DotProductPooling run_dot_product(std::uint64_t seed);
void show(Page& page, const DotProductPooling& pooling);

}  // namespace heed::tour
