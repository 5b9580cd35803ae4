// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// 2^x of the engine, reachable from a test: exp2_of_tier.cpp compiled once per instruction set, as the engine is.
#pragma once

#include <cstdint>

namespace heed::test {

/// out[i] = 2^x[i] for i < n, a multiple of 16.
template <class T>
using Exp2 = void (*)(const T* x, std::int64_t n, T* out) noexcept;

/// With denormal results looked for, and with the processor told to flush them.
template <class T>
struct Exp2Ways {
  Exp2<T> looked_for, flushed;
};

struct Exp2OfTier {
  const char* name;  ///< as in simd_tiers()
  Exp2Ways<float> f32;
  Exp2Ways<double> f64;
};

}  // namespace heed::test
