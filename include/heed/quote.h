// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Text of unknown origin, made fit to be shown: whatever a file or an argument holds, a terminal only shows it.
#pragma once

#include <heed/export.h>

#include <string>
#include <string_view>

namespace heed {

/// For a message: in quotes, control characters and broken UTF-8 escaped, cut when long. The library's own errors quote by
/// it; programs that print what a file holds can do the same.
HEED_API std::string in_quotes(std::string_view text);

/// Whole and without quotes, such as a path or a name in a table: escaped like in_quotes().
HEED_API std::string printable(std::string_view text);

}  // namespace heed
