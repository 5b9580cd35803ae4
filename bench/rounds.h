// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// From rounds to one figure: which rounds were quiet, and the median of what they say.
#pragma once

#include <span>
#include <vector>

namespace heed::bench {

/// One measurement of a case between two looks at the machine.
struct Round {
  double seconds = 0;      ///< of one run
  double ratio = 0;        ///< what the case is judged by; 0 if only the time is of interest
  double quiet = 0;        ///< tile probe over register probe, the lower of before and after
  bool preempted = false;  ///< whether the system gave a processor to another program while the case ran
};

/// A core that is ours alone runs the tile probe at 0.97 of the register probe. Another tenant on the same core or in its
/// caches slows down loads, and with them the tile and every kernel, but hardly the registers.
inline constexpr double kQuietLimit = 0.93;

struct Summary {
  double seconds = 0;    ///< median over the quiet rounds; over all, if none was quiet
  double ratio = 0;      ///< likewise
  double ratio_all = 0;  ///< median over all rounds
  double tile = 0;       ///< tile probe over register probe, median over the rounds used
  int quiet = 0;
  int set_aside = 0;
  int preempted =
      0;  ///< of the rounds the medians are over; many of them, and the machine was simply too busy
};

/// How many multiply-adds of 16 a core that is ours alone does in a clock: a power of two. Whoever takes the processor away
/// during a look slows down one of its two rates, so it is by the best of each, not by the best quotient.
class MultiplyAddsPerClock {
 public:
  void look(double multiply_adds, double clocks);  ///< each a second
  double value() const;

 private:
  double multiply_adds_ = 0, clocks_ = 0;
};

/// The middle, or the mean of the two middle ones; 0 of nothing.
double median(std::vector<double> values);

Summary summarise(std::span<const Round> rounds, double quiet_limit = kQuietLimit);

}  // namespace heed::bench
