// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Ctrl-C ends the command at once, except while a file is being written: then as soon as it is. So no temporary file stays
// behind.
#pragma once

#include <array>
#include <csignal>

class HoldSignals {
 public:
  /// From here SIGINT, SIGTERM and SIGHUP wait, in all threads. One at a time.
  HoldSignals();
  /// What came meanwhile acts now.
  ~HoldSignals();
  HoldSignals(const HoldSignals&) = delete;
  HoldSignals& operator=(const HoldSignals&) = delete;

 private:
  static constexpr std::array kHeld = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kHeld.size()> before_ = {};
};
