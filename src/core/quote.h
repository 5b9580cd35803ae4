// Text of unknown origin, made fit to be shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heed {

/// Bytes of the UTF-8 character at the start of `text`; 0 if it is none, or one that changes how a terminal shows text.
std::size_t character_length(std::string_view text);

/// For a message: in quotes, control characters and broken UTF-8 escaped, cut when long.
std::string in_quotes(std::string_view text);

/// A path for a message: escaped like in_quotes(), but whole and without quotes.
std::string printable(std::string_view text);

}  // namespace heed
