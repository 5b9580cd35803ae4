// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The tour as one HTML file that needs nothing else: styles and pictures are inside.
#pragma once

#include "registry.h"

#include <string>
#include <vector>

namespace heed::tour {

struct Chapter {
  Experiment experiment;
  Page page;
};

std::string html(const std::vector<Chapter>& chapters, std::uint64_t seed);

}  // namespace heed::tour
