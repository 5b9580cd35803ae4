// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the machine can do at this very moment: the yardsticks that cases are measured against.
//
// Other tenants and frequency changes move every rate by tens of per cent within seconds, so a rate in GFLOP/s says little
// about a kernel. A probe run just before and just after it says what was to be had.
#pragma once

#include "tier.h"

#include <heed/dtype.h>

#include <cstdint>

namespace heed::bench {

/// Probes run on all `threads` at once; rates are summed over them. A burst takes about half a millisecond, that of
/// read_bandwidth several.
class Probes {
 public:
  explicit Probes(int threads) : tier_(probe_tier()), threads_(threads) {}

  int threads() const noexcept { return threads_; }

  /// FLOP/s of multiply-adds in registers, by the tier the library runs on.
  double register_flops(Dtype dtype);
  /// FLOP/s of a matrix-product tile with operands in the first-level cache. Well below register_flops, somebody else
  /// is using the core or its caches.
  double tile_flops(Dtype dtype);
  /// Bytes a second read from memory, out of a buffer much larger than the last-level cache.
  double read_bandwidth();
  /// Clocks a second: integer additions, each waiting for the one before, take one clock each.
  double clock_rate();

 private:
  struct Burst {
    std::int64_t steps = 0;  ///< that take about half a millisecond; 0 before the first call
  };

  template <class Run>
  double rate(Burst& burst, double per_step, Run run) const;

  const ProbeTier& tier_;
  int threads_;
  Burst chains_[2], tiles_[2], clock_;
};

}  // namespace heed::bench
