// What surrounds every call into the library that may take long.
#pragma once

#include <heed/runtime.h>

#include <nanobind/nanobind.h>

namespace heed::python {

/// Runs Python's signal handlers a few times a second; throws what they raise, KeyboardInterrupt most of all.
void poll_signals();

/// To be called once, when Python begins to end: from the thread that ends it.
void begin_exit();

/// Waits for ever in a thread that Python will not let go on. Asking for the GIL would unwind the stack through functions
/// that do not throw, which ends the program with a message.
void stop_if_python_ends();

/// Other Python threads run meanwhile, and Ctrl-C ends the call.
class Computing {
 public:
  Computing() = default;
  ~Computing() { stop_if_python_ends(); }
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;

 private:
  nanobind::gil_scoped_release released_;
  Interruptible interruptible_{poll_signals};
};

using WhileComputing = nanobind::call_guard<Computing>;

}  // namespace heed::python
