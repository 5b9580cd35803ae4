// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Colour in terminals, by escape sequences.
#pragma once

#include "viz/colours.h"

#include <string>
#include <string_view>

namespace heed::viz {

inline bool has_colour(Ink ink) { return ink == Ink::k256 || ink == Ink::kTrueColour; }

/// Whether more than ASCII can be shown.
inline bool has_all_characters(const Terminal& terminal) {
  return terminal.utf8 && terminal.ink != Ink::kDigits;
}

/// The text on a background of that colour.
std::string on_colour(std::string_view text, const Rgb& colour, Ink ink);
/// The text in that colour.
std::string in_colour(std::string_view text, const Rgb& colour, Ink ink);

}  // namespace heed::viz
