// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Additive attention: queries and keys of different size meet in a hidden layer.
#pragma once

#include "toy.h"

#include <cstdint>

namespace heed::tour {

struct AdditivePooling : Pooling {};

AdditivePooling run_additive(std::uint64_t seed);
void show(Page& page, const AdditivePooling& pooling);

}  // namespace heed::tour
