// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Whether something overflowed meanwhile: the processor takes note of it, and to ask costs nothing beside a look at results.
#pragma once

#include "kernels/cpu/attention/simd-inl.h"

#if !defined(__x86_64__)
#include <cfenv>
#endif

namespace heed::kernels::cpu::HEED_TIER {

/// Since it was made, on this thread; not while NoDenormals lives.
class OverflowWatch {
 public:
#if defined(__x86_64__)
  OverflowWatch() : before_(_mm_getcsr()) {
    if (before_ & _MM_EXCEPT_OVERFLOW) _mm_setcsr(before_ & ~_MM_EXCEPT_OVERFLOW);
  }
  ~OverflowWatch() {
    if (before_ & _MM_EXCEPT_OVERFLOW) _mm_setcsr(_mm_getcsr() | _MM_EXCEPT_OVERFLOW);
  }
  bool overflowed() const { return _mm_getcsr() & _MM_EXCEPT_OVERFLOW; }

 private:
  unsigned before_;
#else
  OverflowWatch() : before_(std::fetestexcept(FE_OVERFLOW)) { std::feclearexcept(FE_OVERFLOW); }
  ~OverflowWatch() {
    if (before_) std::feraiseexcept(FE_OVERFLOW);
  }
  bool overflowed() const { return std::fetestexcept(FE_OVERFLOW); }

 private:
  int before_;
#endif
 public:
  OverflowWatch(const OverflowWatch&) = delete;
  OverflowWatch& operator=(const OverflowWatch&) = delete;
};

}  // namespace heed::kernels::cpu::HEED_TIER
