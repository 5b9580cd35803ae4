// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed bench and the program that does its work, which is built apart: nothing else waits for the benchmarks to compile.
#pragma once

#include <string>

struct BenchRequest {
  std::string only;  ///< a regular expression
  bool full = false;
  int threads = 0;   ///< 0 means one, and all
  std::string json;  ///< a file, or nothing
};

/// Becomes the program of the benchmarks. Throws if there is none.
[[noreturn]] void become_bench_program(const BenchRequest& request);
