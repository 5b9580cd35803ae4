// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A task that only order decides: does token A come before token B? Learned without positions, with a causal mask, and with
// learned positions.
#pragma once

#include "page.h"

#include <cstdint>

namespace heed::tour {

struct Learned {
  std::string name;
  std::vector<double> losses;  ///< before each step; the last one after training
  double right = 0;            ///< share of new sequences, which come with their mirror images
};

struct Order {
  Learned without, causal, with;
};

Order run_order(std::uint64_t seed);
void print(std::ostream& out, const Order& order);
void show(Page& page, const Order& order);

}  // namespace heed::tour
