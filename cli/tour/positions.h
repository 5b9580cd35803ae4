// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The sinusoidal encoding, and what is regular about it.
#pragma once

#include "page.h"

namespace heed::tour {

struct Positions {
  Tensor table;  ///< (60, 32)
  Tensor alike;  ///< product of each position with each, (60, 60)
};

Positions run_positions();
void print(std::ostream& out, const Positions& positions);
void show(Page& page, const Positions& positions);

}  // namespace heed::tour
