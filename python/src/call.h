// What surrounds every call into the library that may take long.
#pragma once

#include <heed/runtime.h>

#include <nanobind/nanobind.h>

namespace heed::python {

/// Runs Python's signal handlers a few times a second; throws what they raise, KeyboardInterrupt most of all.
void poll_signals();

/// Other Python threads run meanwhile, and Ctrl-C ends the call.
class Computing {
 private:
  nanobind::gil_scoped_release released_;
  Interruptible interruptible_{poll_signals};
};

using WhileComputing = nanobind::call_guard<Computing>;

}  // namespace heed::python
