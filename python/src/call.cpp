// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "call.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace heed::python {
namespace {

// A thread counts itself before it looks whether Python ends, and the end is announced before anybody is counted: one of
// the two sees the other.
std::atomic<int> asking{0};
std::atomic<bool> ending{false};
std::atomic<std::thread::id> ending_thread;

/// In the thread that ends Python, which holds the GIL.
void begin_exit() {
  ending_thread.store(std::this_thread::get_id());
  ending.store(true);
  const nanobind::gil_scoped_release released;
  while (asking.load() > 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

}  // namespace

Asking::Asking() {
  asking.fetch_add(1);
  if (!ending.load() || ending_thread.load() == std::this_thread::get_id()) return;
  asking.fetch_sub(1);
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

Asking::~Asking() { asking.fetch_sub(1); }

void watch_threads() {
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&begin_exit));
  // Those that asked in the parent do not in the child, which would wait for them when it ends.
  pthread_atfork(nullptr, nullptr, [] { asking.store(0); });
}

void poll_signals() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPause = std::chrono::milliseconds(50);
  thread_local Clock::time_point last;
  const Clock::time_point now = Clock::now();
  if (now - last < kPause) return;
  last = now;
  const Asking asking_now;
  const nanobind::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace heed::python
