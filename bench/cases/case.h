// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A case: one piece of work done through the public interface, and what is counted in it.
#pragma once

#include <heed/dtype.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heed::bench {

/// What a run does, in the unit its speed is given in.
struct Work {
  enum class Unit : std::uint8_t {
    kFlops,  ///< needed for the result: masked pairs and anything computed twice do not count
    kTerms,  ///< of the sums over pairs: (query, key, hidden unit) for additive scores, (query, key) for Gaussian
    kBytes,  ///< read from memory
    kCalls,  ///< only the time is of interest
  };
  Unit unit = Unit::kCalls;
  double amount = 1;
};

using Run = std::function<void()>;
/// Makes the tensors and gives what is to be timed; they live as long as it does.
using Prepare = std::function<Run()>;

/// Other work that a case's time is divided by, measured in turn with it.
struct Against {
  std::string name;
  Prepare prepare;
  int threads = 0;  ///< 0 means as many as the case
};

/// When a case is measured.
enum class When : std::uint8_t {
  kAlways,
  kQuick,      ///< a smaller stand-in for one that takes long
  kFull,       ///< takes long
  kOnlyNamed,  ///< for tests
};

struct Case {
  std::string name;   ///< no spaces
  std::string score;  ///< as the library names it, in small letters
  std::string shape;  ///< b batch, h heads, n queries and keys, d features
  Dtype dtype = f32;
  Work work = {};
  Prepare prepare;
  std::optional<Against> against = std::nullopt;
  When when = When::kAlways;
};

}  // namespace heed::bench
