// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which bandwidths of a feature are searched: from where neighbours no longer see each other to where all points weigh
// nearly the same.
#pragma once

#include "regression/data.h"
#include "regression/line_search.h"

namespace heed::regression {

/// Of log h.
Interval search_range(const Column& column);

}  // namespace heed::regression
