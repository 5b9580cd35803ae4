// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Pictures as whoever opens them sees them: .png files through libpng, .svg and .pdf files drawn by programs of others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed::test {

struct Colour {
  int red = 0, green = 0, blue = 0;
};

struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb = {};
  Colour at(int x, int y) const;
};

/// A .png, .svg or .pdf file, two pixels to each pixel or point of the canvas.
Pixels pixels_of(const std::string& path);

/// Sizes of the connected patches of about this colour, the largest first.
std::vector<int> patches(const Pixels& pixels, const Colour& colour, int tolerance);

/// How many of them are at least half as large as the largest: equal marks, without what only looks like them.
int count_of_patches(const Pixels& pixels, const Colour& colour, int tolerance);

}  // namespace heed::test
