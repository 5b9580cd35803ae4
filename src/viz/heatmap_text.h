// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <heed/viz.h>

namespace heed::viz {

std::string heatmap_text(const Heatmap& heatmap, const Terminal& terminal);

}  // namespace heed::viz
