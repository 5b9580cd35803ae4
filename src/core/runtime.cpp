// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"
#include "core/parallel.h"

#include <heed/runtime.h>
#include <heed/version.h>

#include <pthread.h>
#include <sys/stat.h>

#include <atomic>

namespace heed {
namespace {

thread_local Interruptible::Poll current_poll = nullptr;

// libgomp waits for ever for threads of its team that a fork has left behind. Others may have started them, so any thread of
// the process counts.
std::atomic<bool> forking_with_threads{false}, team_lost{false};

bool has_other_threads() noexcept {
  // Each thread is a folder there, a link besides the two of an empty one. Where that cannot be told, one thread is safe.
  struct stat tasks = {};
  return ::stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink != 3;
}

// From the moment the library is loaded: the child's call may be the first of all.
[[maybe_unused]] const int kWatchingForks =
    pthread_atfork([] { forking_with_threads.store(has_other_threads()); }, nullptr,
                   [] {
                     if (forking_with_threads.load()) team_lost.store(true);
                   });

// 0: follow OpenMP (OMP_NUM_THREADS, omp_set_num_threads).
std::atomic<int> chosen_threads{0};
// 0: nobody holds them.
thread_local int held_threads = 0;

}  // namespace

int num_threads() noexcept {
  const int chosen = chosen_threads.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : omp_get_max_threads();
}

void set_num_threads(int threads) {
  check(threads >= 1, "set_num_threads", "threads must be at least 1, found {}", threads);
  chosen_threads.store(threads, std::memory_order_relaxed);
}

int usable_threads() noexcept {
  const int threads = held_threads > 0 ? held_threads : num_threads();
  if (threads == 1 || omp_in_parallel() || team_lost.load(std::memory_order_relaxed)) return 1;
  return threads;
}

HeldThreads::HeldThreads() noexcept : previous_(held_threads) { held_threads = usable_threads(); }
HeldThreads::~HeldThreads() { held_threads = previous_; }

Interruptible::Interruptible(Poll poll) noexcept : previous_(current_poll) { current_poll = poll; }
Interruptible::~Interruptible() { current_poll = previous_; }

void poll_interrupt() {
  if (current_poll != nullptr) current_poll();
}

Checkpoint::Checkpoint() noexcept : poll_(current_poll) {}

void Checkpoint::ask() noexcept {
  try {
    poll_();
  } catch (...) {
    thrown_ = std::current_exception();
    stopped_.store(true, std::memory_order_relaxed);
  }
}

#define HEED_TEXT2(x) #x
#define HEED_TEXT(x) HEED_TEXT2(x)
const char* version() noexcept {
  return HEED_TEXT(HEED_VERSION_MAJOR) "." HEED_TEXT(HEED_VERSION_MINOR) "." HEED_TEXT(HEED_VERSION_PATCH);
}

}  // namespace heed
