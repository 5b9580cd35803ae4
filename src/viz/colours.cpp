// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::viz {
namespace {

// ColorBrewer's Reds and Blues, and matplotlib's viridis, as matplotlib spaces them.
constexpr std::array<Rgb, 9> kReds = {{{0xff, 0xf5, 0xf0},
                                       {0xfe, 0xe0, 0xd2},
                                       {0xfc, 0xbb, 0xa1},
                                       {0xfc, 0x92, 0x72},
                                       {0xfb, 0x6a, 0x4a},
                                       {0xef, 0x3b, 0x2c},
                                       {0xcb, 0x18, 0x1d},
                                       {0xa5, 0x0f, 0x15},
                                       {0x67, 0x00, 0x0d}}};
constexpr std::array<Rgb, 9> kBlues = {{{0xf7, 0xfb, 0xff},
                                        {0xde, 0xeb, 0xf7},
                                        {0xc6, 0xdb, 0xef},
                                        {0x9e, 0xca, 0xe1},
                                        {0x6b, 0xae, 0xd6},
                                        {0x42, 0x92, 0xc6},
                                        {0x21, 0x71, 0xb5},
                                        {0x08, 0x51, 0x9c},
                                        {0x08, 0x30, 0x6b}}};
constexpr std::array<Rgb, 9> kViridis = {{{0x44, 0x01, 0x54},
                                          {0x47, 0x2d, 0x7b},
                                          {0x3b, 0x52, 0x8b},
                                          {0x2c, 0x72, 0x8e},
                                          {0x21, 0x91, 0x8c},
                                          {0x28, 0xae, 0x80},
                                          {0x5e, 0xc9, 0x62},
                                          {0xad, 0xdc, 0x30},
                                          {0xfd, 0xe7, 0x25}}};
// ColorBrewer's RdBu from its blue end.
constexpr std::array<Rgb, 11> kDiverging = {{{0x05, 0x30, 0x61},
                                             {0x21, 0x66, 0xac},
                                             {0x43, 0x93, 0xc3},
                                             {0x92, 0xc5, 0xde},
                                             {0xd1, 0xe5, 0xf0},
                                             {0xf7, 0xf7, 0xf7},
                                             {0xfd, 0xdb, 0xc7},
                                             {0xf4, 0xa5, 0x82},
                                             {0xd6, 0x60, 0x4d},
                                             {0xb2, 0x18, 0x2b},
                                             {0x67, 0x00, 0x1f}}};
constexpr std::array<Rgb, 7> kSeries = {{{0x00, 0x72, 0xb2},
                                         {0xd5, 0x5e, 0x00},
                                         {0x00, 0x9e, 0x73},
                                         {0xcc, 0x79, 0xa7},
                                         {0xe6, 0x9f, 0x00},
                                         {0x56, 0xb4, 0xe9},
                                         {0x80, 0x80, 0x80}}};

std::uint8_t between(std::uint8_t a, std::uint8_t b, double share) {
  return static_cast<std::uint8_t>(std::lround(a + (b - a) * share));
}

}  // namespace

std::string hex(const Rgb& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::span<const Rgb> stops(Colours colours) {
  switch (colours) {
    case Colours::kReds: return kReds;
    case Colours::kBlues: return kBlues;
    case Colours::kViridis: return kViridis;
    case Colours::kDiverging: return kDiverging;
  }
  return kReds;
}

Rgb colour_at(Colours colours, double level) {
  const std::span<const Rgb> all = stops(colours);
  const double place = std::clamp(level, 0.0, 1.0) * static_cast<double>(all.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), all.size() - 2);
  const double share = place - static_cast<double>(below);
  const Rgb &a = all[below], &b = all[below + 1];
  return {between(a.red, b.red, share), between(a.green, b.green, share), between(a.blue, b.blue, share)};
}

Rgb series_colour(std::size_t index) { return kSeries[index % kSeries.size()]; }

}  // namespace heed::viz
