// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "machine.h"

#include <heed/runtime.h>
#include <heed/version.h>

#include <heed_bench_commit.h>
#include <omp.h>

#include <fstream>

namespace heed::bench {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

Machine this_machine() {
  return {.cpu = cpu_model(),
          .tier = simd_tier(),
          .threads = omp_get_max_threads(),
          .version = version(),
          .commit = HEED_BENCH_COMMIT};
}

}  // namespace heed::bench
