// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/findings.h"

#include "support/machine.h"

#include <heed/error.h>
#include <heed/runtime.h>
#include <heed/version.h>

#include <bench/machine.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>
#include <zlib.h>
#include <CLI/Version.hpp>
#include <nlohmann/json.hpp>
#include <xsimd/config/xsimd_config.hpp>

#include <cstdlib>
#include <filesystem>
#include <thread>

namespace heed::command {
namespace {

class Look {
 public:
  Findings findings() {
    tier_ = tier_in_use();
    build();
    processor();
    memory();
    blas();
    gpu();
    libraries();
    pictures();
    return std::move(found_);
  }

 private:
  void section(const std::string& name) { found_.sections.push_back({name, {}}); }
  void fact(const std::string& name, const std::string& value) {
    found_.sections.back().facts.emplace_back(name, value);
  }
  void problem(const std::string& sentence) { found_.problems.push_back(sentence); }

  /// A wrong HEED_SIMD is what a doctor is asked about. The rest is looked at with the best tier there is.
  std::string tier_in_use() {
    try {
      return simd_tier();
    } catch (const Error& error) {
      problem(fmt::format("{}; every command ends with that: unset HEED_SIMD or name one of them.",
                          error.what()));
      set_simd_tier(simd_tiers().front());
      return "none";
    }
  }

  void build() {
    section("heed");
    const bench::Machine machine = bench::this_machine();
    fact("version", heed::version());
    fact("commit", machine.commit.empty() ? "unknown" : machine.commit);
    fact("compiler", HEED_BUILD_COMPILER);
    fact("build type", HEED_BUILD_TYPE);
    fact("flags", HEED_BUILD_FLAGS);
    if (std::string_view(HEED_BUILD_TYPE) == "Debug") {
      problem("This is a debug build, which is many times slower; build with CMAKE_BUILD_TYPE=Release.");
    }
  }

  void processor() {
    section("processor");
    fact("name", bench::this_machine().cpu);
    fact("instruction sets", fmt::format("{}", fmt::join(simd_tiers(), ", ")));
    fact("in use", tier_);
    fact("cores", fmt::format("{}", std::thread::hardware_concurrency()));
    fact("threads", fmt::format("{}", num_threads()));
    fact("OpenMP", fmt::format("{}", _OPENMP));
    if (tier_ != "none" && tier_ != simd_tiers().front()) {
      problem(fmt::format("HEED_SIMD={} keeps attention from the faster {}; unset it.", tier_,
                          simd_tiers().front()));
    }
    const unsigned cores = std::thread::hardware_concurrency();
    if (cores > 0 && num_threads() > static_cast<int>(cores)) {
      problem(fmt::format("{} threads share {} cores; set OMP_NUM_THREADS to {} or fewer.", num_threads(),
                          cores, cores));
    }
  }

  void memory() {
    section("memory");
    fact("usable", fmt::format("{:.1f} GiB", static_cast<double>(usable_memory()) / (1 << 30)));
  }

  void blas() {
    section("BLAS");
    const Blas blas = blas_in_use();
    fact("library", blas.config.empty() ? "not OpenBLAS, says nothing about itself" : blas.config);
    if (blas.threads > 0) fact("threads", fmt::format("{}", blas.threads));
    if (blas.threads > 1 && !blas.openmp) {
      problem(
          "This OpenBLAS has threads of its own, which get in the way of heed's; install the OpenMP variant "
          "(Debian: libopenblas0-openmp).");
    }
  }

  void gpu() {
    section("GPU");
    const std::string driver = small_file("/proc/driver/nvidia/version");
    // Whoever has one should hear that it stays idle.
    fact("device", driver.empty() ? "none found" : driver.substr(0, driver.find('\n')) + "; not used");
  }

  void libraries() {
    section("libraries");
    fact("fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100));
    fact("xsimd", fmt::format("{}.{}.{}", XSIMD_VERSION_MAJOR, XSIMD_VERSION_MINOR, XSIMD_VERSION_PATCH));
    fact("zlib", zlibVersion());
    fact("CLI11", CLI11_VERSION);
    fact("nlohmann-json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                      NLOHMANN_JSON_VERSION_PATCH));
  }

  void pictures() {
    section("pictures");
    const std::string gnuplot = first_line_of("gnuplot --version");
    const bool there = gnuplot.starts_with("gnuplot ");
    fact("gnuplot", there ? gnuplot.substr(8) : "none");
    if (!there) problem("Without gnuplot there are no picture files; install it (Debian: gnuplot-nox).");
    const std::string font = first_line_of("fc-list :lang=zh family");
    const bool shows_chinese = !font.empty() && font.find("fc-list") == std::string::npos;
    fact("Chinese font", shows_chinese ? font : "none");
    if (!shows_chinese) {
      problem("No font shows Chinese, so pictures cannot; install one (Debian: fonts-wqy-microhei).");
    }
  }

  Findings found_;
  std::string tier_;
};

}  // namespace

Findings look_around() { return Look().findings(); }

}  // namespace heed::command
