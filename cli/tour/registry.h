// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The experiments of the tour, in order.
#pragma once

#include "page.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace heed::tour {

struct Experiment {
  std::string_view name;
  std::string_view title;
  void (*show)(Page& page, std::uint64_t seed);
  std::string_view program;  ///< as cpp_program() and python_program() know it
};

std::span<const Experiment> experiments();

/// By name or by number, counted from 1; nullptr if there is none.
const Experiment* find_experiment(std::string_view name_or_number);

}  // namespace heed::tour
