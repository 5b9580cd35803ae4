// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What a mistyped name may have been meant to be.
#pragma once

#include <heed/export.h>

#include <string>
#include <string_view>
#include <vector>

namespace heed {

/// The name that takes the fewest edits to get to from `wanted`, if so few that it may have been meant; else nothing.
/// The library's own errors suggest by it; programs with names of their own can do the same.
HEED_API std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace heed
