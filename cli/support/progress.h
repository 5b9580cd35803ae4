// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A line on standard error that says how far something long is: what, how much of it, how fast, how long still. Only on a
// terminal, only after a second, and gone again at the end.
#pragma once

#include <atomic>
#include <string>
#include <thread>

/// How far it is; `total` 0 if nobody knows.
struct ProgressState {
  std::string what;  ///< "attending"
  std::string unit;  ///< "rows"
  double done = 0;
  double total = 0;
  double seconds = 0;    ///< since it began
  bool at_most = false;  ///< the total is a bound that is often not reached
};

/// "attending: 41 % of 100000 rows, 5230 rows/s, 11 s left"; without a total "attending: 12 s"; with a bound for one
/// "choosing: 5 of at most 60 looks, 12 s", for what is left of it nobody knows.
std::string progress_text(const ProgressState& state);

enum class Show : bool { kNever, kOnTerminal };
enum class Total : bool { kExact, kAtMost };

class Progress {
 public:
  /// A thread of its own writes the line, so that it also moves while one long call runs.
  Progress(std::string what, std::string unit, Show show, Total total = Total::kExact);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void report(double done, double total) noexcept {
    total_ = total;
    done_ = done;
  }

 private:
  void write_lines(const std::stop_token& stop) const;

  std::string what_, unit_;
  bool at_most_;
  std::atomic<double> done_{0}, total_{0};
  std::jthread writer_;
};
