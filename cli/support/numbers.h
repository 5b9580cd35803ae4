// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Numbers as they are written on a command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// All of the text, as a number; "inf" and "-inf" too, but not NaN.
std::optional<double> parse_number(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);

/// "2,6" -> 2, 6. Nothing if a part is no number.
std::optional<std::vector<double>> parse_numbers(std::string_view text);
std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text);

/// "0:5:11" -> 0, 0.5, ... 5; a number -> that number. Nothing if it is neither, or a grid of fewer than 1 or more than a
/// million numbers.
std::optional<std::vector<double>> parse_grid(std::string_view text);

/// A validator for seeds. CLI11 alone would take -1 for a large number, and a number too large for the largest there is.
std::string check_seed(const std::string& text);

std::vector<std::string_view> split(std::string_view text, char separator);
