// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The probes, written once and compiled once per instruction set: HEED_PROBE_TIER names the namespace, HEED_VECTOR_BYTES
// is the width, HEED_CHAINS how many registers the chains take, HEED_TILE_ROWS x HEED_TILE_VECTORS the tile.
//
// Vectors are the compiler's own, and a * b + c becomes one instruction because these files are compiled with
// -ffp-contract=fast. No function of the standard library may be used here: the linker could pick this copy, made for
// this instruction set, for the whole program.
#pragma once

#include "tier.h"

#if defined(__clang__)
#define HEED_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HEED_UNROLL _Pragma("GCC unroll 32")
#endif

namespace heed::bench::HEED_PROBE_TIER {

template <class T>
struct VectorOf;
template <>
struct VectorOf<float> {
  typedef float type __attribute__((vector_size(HEED_VECTOR_BYTES)));  // NOLINT(modernize-use-using)
};
template <>
struct VectorOf<double> {
  typedef double type __attribute__((vector_size(HEED_VECTOR_BYTES)));  // NOLINT(modernize-use-using)
};
template <class T>
using Vector = typename VectorOf<T>::type;

template <class T>
inline constexpr int kLanes = HEED_VECTOR_BYTES / static_cast<int>(sizeof(T));

/// Makes the compiler believe that somebody looks at `x`, so that it must be computed.
template <class V>
inline __attribute__((always_inline)) void keep(V& x) {
#if defined(__AVX512F__)
  __asm__ volatile("" : "+v"(x));
#elif defined(__x86_64__)
  __asm__ volatile("" : "+x"(x));
#else
  __asm__ volatile("" : "+m"(x));
#endif
}

template <class T>
void chains(std::int64_t steps) {
  using V = Vector<T>;
  V x = T(0.4999) - V{};  // a scalar beside a vector is broadcast; minus zero changes nothing
  keep(x);
  V sums[HEED_CHAINS];
  HEED_UNROLL
  for (V& sum : sums) {
    sum = x;
    keep(sum);  // or the compiler would see that all chains are equal, and run one
  }
  for (std::int64_t i = 0; i < steps; ++i) {
    HEED_UNROLL
    for (V& sum : sums) sum = sum * x + x;  // converges to 1: never denormal, never infinite
  }
  HEED_UNROLL
  for (V& sum : sums) keep(sum);
}

template <class T>
void tile(const T* rows, const T* columns, std::int64_t steps) {
  using V = Vector<T>;
  for (std::int64_t i = 0; i < steps; ++i) {
    V sums[HEED_TILE_ROWS][HEED_TILE_VECTORS] = {};
    const T* a = rows;
    const V* b = reinterpret_cast<const V*>(columns);
    for (int k = 0; k < kTileDepth; ++k) {
      HEED_UNROLL
      for (int row = 0; row < HEED_TILE_ROWS; ++row) {
        const V x = a[row] - V{};
        HEED_UNROLL
        for (int v = 0; v < HEED_TILE_VECTORS; ++v) sums[row][v] += x * b[v];
      }
      a += HEED_TILE_ROWS;
      b += HEED_TILE_VECTORS;
    }
    HEED_UNROLL
    for (auto& row : sums) {
      HEED_UNROLL
      for (V& sum : row) keep(sum);
    }
  }
}

inline void read(const void* data, std::size_t bytes) {
  typedef std::int64_t V __attribute__((vector_size(HEED_VECTOR_BYTES)));  // NOLINT(modernize-use-using)
  constexpr int kAccumulators = 8;
  const V* from = static_cast<const V*>(data);
  const V* end = from + bytes / sizeof(V);
  V sums[kAccumulators] = {};
  for (; from != end; from += kAccumulators) {
    HEED_UNROLL
    for (int i = 0; i < kAccumulators; ++i) sums[i] ^= from[i];
  }
  HEED_UNROLL
  for (V& sum : sums) keep(sum);
}

template <class T>
inline constexpr FlopKernels<T> kFlopKernels{
    .chain_flops = 2LL * HEED_CHAINS * kLanes<T>,
    .chains = chains<T>,
    .tile_flops = 2LL * HEED_TILE_ROWS* HEED_TILE_VECTORS* kTileDepth* kLanes<T>,
    .tile = tile<T>,
};

inline constexpr ProbeTier make(const char* name) {
  return {.name = name, .f32 = kFlopKernels<float>, .f64 = kFlopKernels<double>, .read = read};
}

}  // namespace heed::bench::HEED_PROBE_TIER
