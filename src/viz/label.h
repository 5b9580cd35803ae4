// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Labels are data: whatever stands in them, what comes out here is one line of valid UTF-8 without control characters.
#pragma once

#include <string>
#include <string_view>

namespace heed::viz {

/// The text as one line, at most so many columns wide; cut with an ellipsis if need be.
std::string label(std::string_view text, int columns);

/// A title in characters goes on for so many lines at most.
inline constexpr int kTitleLines = 3;

enum class Side : unsigned char { kLeft, kCentre, kRight };

/// The same, filled up with blanks to exactly so many columns.
std::string padded(std::string_view text, int columns, Side side = Side::kLeft);

}  // namespace heed::viz
