// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Characters of text of unknown origin.
#pragma once

#include <heed/quote.h>

#include <cstddef>
#include <string_view>

namespace heed {

/// Bytes of the UTF-8 character at the start of `text`; 0 if it is none, or one that changes how a terminal shows text.
std::size_t character_length(std::string_view text);

}  // namespace heed
