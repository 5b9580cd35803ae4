// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which cases to measure.
#pragma once

#include "cases/cases.h"

#include <string>
#include <vector>

namespace heed::bench {

enum class Length : std::uint8_t { kQuick, kFull };

/// Those whose name contains a match of the regular expression `only`, of those meant for a run of this length; cases for
/// tests only if `only` is their name. Throws std::regex_error if `only` is none.
std::vector<const Case*> select(const std::string& only, Length length);

/// The case of this name; nullptr if there is none.
const Case* find_case(const std::string& name);

/// Whether there is anything to learn from it: one thread against one thread is not.
bool worth_measuring(const Case& measured, int threads);

}  // namespace heed::bench
