// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/pixels.h"

#include <gtest/gtest.h>

#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <stdexcept>

namespace heed::test {
namespace {

Pixels read_png(const std::string& path) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0)
    throw std::runtime_error(path + ": " + image.message);
  image.format = PNG_FORMAT_RGB;
  Pixels pixels{.width = static_cast<int>(image.width), .height = static_cast<int>(image.height)};
  pixels.rgb.resize(PNG_IMAGE_SIZE(image));
  const png_color white = {255, 255, 255};
  if (png_image_finish_read(&image, &white, pixels.rgb.data(), 0, nullptr) == 0)
    throw std::runtime_error(path + ": " + image.message);
  return pixels;
}

/// The paths of the tests have no quotes in them.
void draw(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

}  // namespace

Colour Pixels::at(int x, int y) const {
  const auto place =
      3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
  return {rgb[place], rgb[place + 1], rgb[place + 2]};
}

Pixels pixels_of(const std::string& path) {
  if (path.ends_with(".png")) return read_png(path);
  const std::string drawn = path + ".drawn.png";
  if (path.ends_with(".svg")) {
    draw("rsvg-convert --zoom 2 --background-color white --output '" + drawn + "' '" + path + "'");
  } else {
    draw("pdftoppm -png -r 144 -singlefile '" + path + "' '" + path + ".drawn'");
  }
  return read_png(drawn);
}

std::vector<int> patches(const Pixels& pixels, const Colour& colour, int tolerance) {
  const auto near = [&](int x, int y) {
    const Colour c = pixels.at(x, y);
    return std::max({std::abs(c.red - colour.red), std::abs(c.green - colour.green),
                     std::abs(c.blue - colour.blue)}) <= tolerance;
  };
  const auto index = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) + static_cast<std::size_t>(x);
  };
  std::vector<bool> seen(static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height));
  std::vector<int> sizes;
  for (int y = 0; y < pixels.height; ++y) {
    for (int x = 0; x < pixels.width; ++x) {
      if (seen[index(x, y)] || !near(x, y)) continue;
      std::vector<std::pair<int, int>> open = {{x, y}};
      seen[index(x, y)] = true;
      int size = 0;
      while (!open.empty()) {
        const auto [i, j] = open.back();
        open.pop_back();
        ++size;
        for (const auto& [di, dj] : {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 1), std::pair(0, -1)}) {
          const int a = i + di, b = j + dj;
          if (a < 0 || b < 0 || a >= pixels.width || b >= pixels.height || seen[index(a, b)] || !near(a, b))
            continue;
          seen[index(a, b)] = true;
          open.emplace_back(a, b);
        }
      }
      sizes.push_back(size);
    }
  }
  std::ranges::sort(sizes, std::greater<>());
  return sizes;
}

int count_of_patches(const Pixels& pixels, const Colour& colour, int tolerance) {
  const std::vector<int> sizes = patches(pixels, colour, tolerance);
  return static_cast<int>(std::ranges::count_if(sizes, [&](int size) { return 2 * size >= sizes.front(); }));
}

}  // namespace heed::test
