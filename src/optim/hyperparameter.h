// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Checks of the numbers an optimiser is given.
#pragma once

#include "core/check.h"

#include <cmath>

namespace heed::optim {

inline void check_not_negative(const char* optimiser, const char* argument, double value) {
  check(value >= 0 && std::isfinite(value), optimiser, "{} must be finite and at least 0, found {}", argument,
        value);
}

/// In [0, 1): what decays a running mean.
inline void check_decay_rate(const char* optimiser, const char* argument, double value) {
  check(value >= 0 && value < 1, optimiser, "{} must be at least 0 and below 1, found {}", argument, value);
}

/// From so many elements on an update is worth a second thread.
inline constexpr std::int64_t kUpdateGrain = std::int64_t{1} << 16;

}  // namespace heed::optim
