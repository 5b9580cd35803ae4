// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What a probe runs, once per instruction set. Kernels only: threads, clocks and rates are the business of probes.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heed::bench {

/// What every tier's tile has room in: depth x rows, and depth x columns, aligned to 64 bytes.
inline constexpr int kTileDepth = 128;
inline constexpr int kTileRows = 8;
inline constexpr int kTileColumnBytes = 3 * 64;

/// Work of a known number of floating-point operations per step, for one element type.
template <class T>
struct FlopKernels {
  /// Independent chains of fused multiply-adds that never leave the registers: the peak of the machine.
  std::int64_t chain_flops = 0;
  void (*chains)(std::int64_t steps) = nullptr;
  /// A register tile of a matrix product over kTileDepth, operands in the first-level cache: what a kernel can get when
  /// nobody else uses the core.
  std::int64_t tile_flops = 0;
  void (*tile)(const T* rows, const T* columns, std::int64_t steps) = nullptr;
};

struct ProbeTier {
  const char* name = "";
  FlopKernels<float> f32;
  FlopKernels<double> f64;
  /// Reads `bytes` (a multiple of 1024), aligned to 64, and does nothing with them.
  void (*read)(const void* data, std::size_t bytes) = nullptr;
};

/// The probes for the tier the library runs on, heed::simd_tier().
const ProbeTier& probe_tier();

}  // namespace heed::bench
