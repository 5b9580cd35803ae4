#include "call.h"

#include <chrono>

namespace heed::python {

void poll_signals() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPause = std::chrono::milliseconds(50);
  thread_local Clock::time_point last;
  const Clock::time_point now = Clock::now();
  if (now - last < kPause) return;
  last = now;
  const nanobind::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace heed::python
