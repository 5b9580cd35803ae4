// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/suggest.h>

#include <algorithm>
#include <numeric>

namespace heed {
namespace {

/// Levenshtein's: characters inserted, left out or replaced.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names) {
  // Comparing long names from a hostile file would take quadratic time.
  constexpr std::size_t kLongestCompared = 200;
  std::string best;
  std::size_t least = wanted.size() / 3 + 2;
  for (const std::string& name : names) {
    if (name.size() > kLongestCompared || wanted.size() > kLongestCompared) continue;
    const std::size_t distance = edit_distance(wanted, name);
    if (distance < least && distance < std::max(name.size(), wanted.size())) {
      least = distance;
      best = name;
    }
  }
  return best;
}

}  // namespace heed
