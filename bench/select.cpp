// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "select.h"

#include <algorithm>
#include <regex>

namespace heed::bench {
namespace {

bool meant_for(Length length, When when) {
  return when == When::kAlways || when == (length == Length::kQuick ? When::kQuick : When::kFull);
}

}  // namespace

std::vector<const Case*> select(const std::string& only, Length length) {
  const std::regex pattern(only);
  std::vector<const Case*> chosen;
  for (const Case& candidate : all_cases()) {
    const bool named = candidate.name == only;
    const bool matched = meant_for(length, candidate.when) && std::regex_search(candidate.name, pattern);
    if (named || matched) chosen.push_back(&candidate);
  }
  return chosen;
}

const Case* find_case(const std::string& name) {
  const auto found = std::ranges::find(all_cases(), name, &Case::name);
  return found == all_cases().end() ? nullptr : &*found;
}

bool worth_measuring(const Case& measured, int threads) {
  return !(measured.against && measured.against->threads == threads);
}

}  // namespace heed::bench
