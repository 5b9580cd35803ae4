// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Softmax over the first keys only: one length per batch entry, or one per query.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct MaskedSoftmax {
  Tensor scores;         ///< (2, 2, 4), uniform on [0, 1)
  Tensor per_batch;      ///< lengths (2, 3)
  Tensor per_query;      ///< lengths ((1, 3), (2, 4))
  Tensor nothing_valid;  ///< lengths (0, 4)
};

MaskedSoftmax run_masked_softmax(std::uint64_t seed);
void print(std::ostream& out, const MaskedSoftmax& result);
void show(Page& page, const MaskedSoftmax& result);

}  // namespace heed::tour
