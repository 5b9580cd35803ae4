// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "probes.h"

#include "clock.h"
#include "read_buffer.h"

#include <omp.h>

#include <algorithm>

namespace heed::bench {
namespace {

constexpr double kBurstSeconds = 0.5e-3;
constexpr std::int64_t kAddsPerStep = 16;

/// Operands of the tile, for each thread its own: first-level caches are not shared.
template <class T>
struct TileOperands {
  alignas(64) T rows[kTileDepth * kTileRows];
  alignas(64) T columns[kTileDepth * kTileColumnBytes / sizeof(T)];

  TileOperands() {
    std::ranges::fill(rows, T(1e-3));
    std::ranges::fill(columns, T(1e-3));
  }
};

template <class T>
void run_tile(const FlopKernels<T>& kernels, std::int64_t steps) {
  static thread_local const TileOperands<T> kOperands;
  kernels.tile(kOperands.rows, kOperands.columns, steps);
}

/// A chain of additions. Register plus register: some processors do additions of constants for free while renaming.
void dependent_adds(std::int64_t steps) {
  std::uint64_t sum = 0, one = 1;
  __asm__ volatile("" : "+r"(one));
  for (std::int64_t i = 0; i < steps; ++i) {
#if defined(__clang__)
#pragma clang loop unroll(full)
#else
#pragma GCC unroll 16
#endif
    for (int k = 0; k < kAddsPerStep; ++k) {
      sum += one;
      __asm__ volatile("" : "+r"(sum));  // or the compiler would multiply
    }
  }
}

/// Runs `run` on all threads at once, and adds up what each does in a second.
template <class Run>
double summed_rate(int threads, double work, Run run) {
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
#pragma omp barrier
    const double start = now();
    run(omp_get_thread_num());
    sum += work / (now() - start);
  }
  return sum;
}

}  // namespace

template <class Run>
double Probes::rate(Burst& burst, double per_step, Run run) const {
  if (burst.steps == 0) {
    // The fastest of a few short runs: the first ones wake up the vector units.
    constexpr std::int64_t kTrial = 1000;
    double seconds = kBurstSeconds;
    for (int i = 0; i < 5; ++i) {
      const double start = now();
      run(kTrial);
      seconds = std::min(seconds, now() - start);
    }
    burst.steps = std::max<std::int64_t>(kTrial, static_cast<std::int64_t>(kTrial * kBurstSeconds / seconds));
  }
  const std::int64_t steps = burst.steps;
  return summed_rate(threads_, per_step * static_cast<double>(steps), [&](int) { run(steps); });
}

double Probes::register_flops(Dtype dtype) {
  if (dtype == f64) return rate(chains_[1], static_cast<double>(tier_.f64.chain_flops), tier_.f64.chains);
  return rate(chains_[0], static_cast<double>(tier_.f32.chain_flops), tier_.f32.chains);
}

double Probes::tile_flops(Dtype dtype) {
  if (dtype == f64) {
    return rate(tiles_[1], static_cast<double>(tier_.f64.tile_flops),
                [this](std::int64_t steps) { run_tile(tier_.f64, steps); });
  }
  return rate(tiles_[0], static_cast<double>(tier_.f32.tile_flops),
              [this](std::int64_t steps) { run_tile(tier_.f32, steps); });
}

double Probes::clock_rate() { return rate(clock_, static_cast<double>(kAddsPerStep), dependent_adds); }

double Probes::read_bandwidth() {
  const ReadBuffer::Window window = ReadBuffer::instance().next_window(threads_);
  return summed_rate(threads_, static_cast<double>(window.share), [&](int thread) {
    tier_.read(window.data + static_cast<std::size_t>(thread) * window.share, window.share);
  });
}

}  // namespace heed::bench
