// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The sinusoidal encoding and what is regular about it; then positions that are learned, for a task about order.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct Positions {
  Tensor table;  ///< (60, 32)
  double rotation_error =
      0;  ///< P[p + δ] against P[p] turned by the angle of δ: largest over all p, δ, pairs

  /// "Does A come before B?", learned without and with a learned encoding.
  struct Learned {
    std::vector<double> losses;  ///< before each step; the last one after training
    double accuracy = 0;         ///< on sequences that come with their mirror images
  };
  Learned without, with;
};

Positions run_positions(std::uint64_t seed);
void show(Page& page, const Positions& positions);

}  // namespace heed::tour
