// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "hold_signals.h"

#include <cstddef>

namespace {

// What a handler may touch.
volatile std::sig_atomic_t came = 0;

void remember(int signal) { came = signal; }

}  // namespace

HoldSignals::HoldSignals() {
  struct sigaction held = {};
  held.sa_handler = remember;
  held.sa_flags = SA_RESTART;  // writing goes on as if nothing had happened
  for (std::size_t i = 0; i < kHeld.size(); ++i) {
    ::sigaction(kHeld[i], &held, &before_[i]);
  }
}

HoldSignals::~HoldSignals() {
  for (std::size_t i = 0; i < kHeld.size(); ++i) ::sigaction(kHeld[i], &before_[i], nullptr);
  const int signal = came;
  came = 0;
  if (signal != 0) ::raise(signal);
}
