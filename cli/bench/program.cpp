// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace {

namespace fs = std::filesystem;

/// Beside this program: in the folder of the build, of the installation or of the Python package.
fs::path bench_program() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "libexec" / "heed" / "bench";
}

}  // namespace

void become_bench_program(const BenchRequest& request) {
  const std::string program = bench_program();
  const std::string threads = fmt::format("{}", request.threads);
  execl(program.c_str(), "heed", request.only.c_str(), request.full ? "full" : "quick", threads.c_str(),
        request.json.c_str(), nullptr);
  throw std::runtime_error(
      fmt::format("the benchmarks are not there: {}; build the target heed_cli_bench", program));
}
