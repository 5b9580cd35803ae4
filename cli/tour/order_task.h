// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A task that only order decides: does token A come before token B?
#pragma once

#include "positions.h"

namespace heed::tour {

inline constexpr std::int64_t kOrderLength = 6;
inline constexpr int kOrderSteps = 100;
inline constexpr int kOrderReport = 25;  ///< a loss is printed every so many steps

enum class Encoding : std::uint8_t { kNone, kLearned };

/// Trains a small self-attention classifier on random sequences, tests it on others.
Positions::Learned learn_order(Encoding encoding, std::uint64_t seed);

}  // namespace heed::tour
