// Ctrl-C ends the command at once, except while a file is being written: then as soon as it is. So no temporary file stays
// behind.
#pragma once

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
  static constexpr int kHeld[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(kHeld)] = {};
};
