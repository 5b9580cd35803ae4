// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Whether something overflowed meanwhile: the processor takes note of it, and to ask costs nothing beside a look at results.
// Always inlined: simd-inl.h says why.
#pragma once

#include <atomic>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace heed::kernels::cpu {

/// Whether the processor has noted an overflow on this thread; the note is then taken back.
[[gnu::always_inline]] inline bool take_overflow() {
#if defined(__x86_64__)
  const unsigned now = _mm_getcsr();
  if (!(now & _MM_EXCEPT_OVERFLOW)) return false;
  _mm_setcsr(now & ~_MM_EXCEPT_OVERFLOW);
#else
  if (!std::fetestexcept(FE_OVERFLOW)) return false;
  std::feclearexcept(FE_OVERFLOW);
#endif
  return true;
}

[[gnu::always_inline]] inline void note_overflow() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | _MM_EXCEPT_OVERFLOW);
#else
  std::feraiseexcept(FE_OVERFLOW);
#endif
}

/// Since it was made, on this thread, which it leaves with the note that it found.
class OverflowWatch {
 public:
  [[gnu::always_inline]] OverflowWatch() : before_(take_overflow()) {}
  [[gnu::always_inline]] ~OverflowWatch() {
    if (before_) note_overflow();
  }
  OverflowWatch(const OverflowWatch&) = delete;
  OverflowWatch& operator=(const OverflowWatch&) = delete;

  [[gnu::always_inline]] bool overflowed() const { return take_overflow(); }

 private:
  bool before_;
};

/// In a call, on any of its threads. Small tasks are many, and to ask after each takes some hundredths of their time: the
/// thread that called, worker 0, is asked once, at the end.
class CallOverflow {
 public:
  void after_task(std::int64_t worker) {
    if (worker != 0 && take_overflow()) elsewhere_.store(true, std::memory_order_relaxed);
  }
  bool overflowed() const { return watch_.overflowed() || elsewhere_.load(std::memory_order_relaxed); }

 private:
  OverflowWatch watch_;
  std::atomic<bool> elsewhere_{false};
};

}  // namespace heed::kernels::cpu
