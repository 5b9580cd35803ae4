// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <heed/viz.h>

namespace heed::viz {

std::string chart_text(const Chart& chart, const Terminal& terminal);

}  // namespace heed::viz
