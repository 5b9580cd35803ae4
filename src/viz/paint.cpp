// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/paint.h"

#include <fmt/format.h>

namespace heed::viz {
namespace {

/// The nearest colour of the 6 × 6 × 6 cube in the palette of 256, whose levels are 0, 95, 135, ... 255.
int cube_index(const Rgb& colour) {
  const auto level = [](int value) { return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40; };
  return 16 + 36 * level(colour.red) + 6 * level(colour.green) + level(colour.blue);
}

std::string painted(std::string_view text, const Rgb& colour, Ink ink, int ground) {
  if (ink == Ink::kTrueColour) {
    return fmt::format("\x1b[{};2;{};{};{}m{}\x1b[0m", ground, colour.red, colour.green, colour.blue, text);
  }
  return fmt::format("\x1b[{};5;{}m{}\x1b[0m", ground, cube_index(colour), text);
}

}  // namespace

std::string on_colour(std::string_view text, const Rgb& colour, Ink ink) {
  return painted(text, colour, ink, 48);
}
std::string in_colour(std::string_view text, const Rgb& colour, Ink ink) {
  return painted(text, colour, ink, 38);
}

}  // namespace heed::viz
