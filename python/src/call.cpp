#include "call.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace heed::python {
namespace {

std::atomic<bool> ending{false};
std::atomic<std::thread::id> ending_thread;

}  // namespace

void begin_exit() {
  ending_thread.store(std::this_thread::get_id());
  ending.store(true);
}

void stop_if_python_ends() {
  if (!ending.load() || ending_thread.load() == std::this_thread::get_id()) return;
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

void poll_signals() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPause = std::chrono::milliseconds(50);
  thread_local Clock::time_point last;
  const Clock::time_point now = Clock::now();
  if (now - last < kPause) return;
  last = now;
  stop_if_python_ends();
  const nanobind::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace heed::python
