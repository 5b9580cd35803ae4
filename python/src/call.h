// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What surrounds every call into the library that may take long.
#pragma once

#include <heed/runtime.h>

#include <nanobind/nanobind.h>

#include <optional>

namespace heed::python {

/// Runs Python's signal handlers a few times a second; throws what they raise, KeyboardInterrupt most of all.
void poll_signals();

/// Lives while a thread without the GIL asks for it. Up to Python 3.13, a thread that asks while Python ends is unwound
/// through functions that do not throw, which ends the program with a message. So Python does not end before those that
/// ask have got it, and whoever comes later waits for ever.
class Asking {
 public:
  Asking();
  ~Asking();
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
};

/// To be called when the module is loaded: from then on, the end of Python and forks mind those that ask.
void watch_threads();

/// Other Python threads run meanwhile, and Ctrl-C ends the call.
class Computing {
 public:
  Computing() = default;
  ~Computing() { asking_.emplace(); }
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;

 private:
  std::optional<Asking> asking_;  // goes last: when the GIL is back
  nanobind::gil_scoped_release released_;
  Interruptible interruptible_{poll_signals};
};

using WhileComputing = nanobind::call_guard<Computing>;

}  // namespace heed::python
