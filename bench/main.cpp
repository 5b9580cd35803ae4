// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed_bench: every case under Google Benchmark, on one thread and on all.
//   heed_bench [--quick|--full] [--benchmark_...]   e.g. --benchmark_filter=forward --benchmark_out=FILE
//   heed_bench --serve                              see serve.h
// A benchmark is one iteration: all rounds of its case. Its time is the median of one run, its counters are the ratios.
#include "report.h"
#include "select.h"
#include "serve.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace heed::bench {
namespace {

const char* ratio_name(Ratio ratio) {
  switch (ratio) {
    case Ratio::kToPeak:
    case Ratio::kToBandwidth: return "ratio_to_peak";
    case Ratio::kClocksPer16Terms: return "clocks_per_16_terms";
    case Ratio::kTime: return "time_ratio";
    case Ratio::kSpeedup: return "speedup";
    case Ratio::kNone: break;
  }
  return nullptr;
}

const char* rate_name(Work::Unit unit) {
  switch (unit) {
    case Work::Unit::kFlops: return "flops";
    case Work::Unit::kTerms: return "terms_per_second";
    case Work::Unit::kBytes: return "bytes_per_second";
    case Work::Unit::kCalls: break;
  }
  return nullptr;
}

void run_case(benchmark::State& state, const Case& measured, Probes& probes, const Effort& effort) {
  for ([[maybe_unused]] auto iteration : state) {
    const Result result{&measured, probes.threads(), summarise(measure(measured, probes, effort))};
    state.SetIterationTime(result.summary.seconds);
    const char* rate = rate_name(measured.work.unit);
    const char* ratio = ratio_name(ratio_of(measured));
    if (rate) state.counters[rate] = result.rate();
    if (ratio) state.counters[ratio] = result.summary.ratio;
    if (ratio) state.counters[std::string(ratio) + "_all_rounds"] = result.summary.ratio_all;
    state.counters["tile_probe"] = result.summary.tile;
    state.counters["quiet_rounds"] = result.summary.quiet;
    state.counters["set_aside"] = result.summary.set_aside;
    state.counters["preempted_rounds"] = result.summary.preempted;
  }
  state.SetLabel(measured.score + " " + measured.shape + " " + name(measured.dtype));
}

void add_benchmarks(Length length, const Machine& machine) {
  static std::map<int, Probes> probes;
  for (const Case* measured : select("", length)) {
    for (const int threads : std::set{1, machine.threads}) {
      if (!worth_measuring(*measured, threads)) continue;
      Probes& yardsticks = probes.try_emplace(threads, threads).first->second;
      benchmark::RegisterBenchmark(fmt::format("{}/threads:{}", measured->name, threads).c_str(),
                                   [=, &yardsticks](benchmark::State& state) {
                                     run_case(state, *measured, yardsticks,
                                              length == Length::kFull ? kFullEffort : kQuickEffort);
                                   })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

/// Takes `flag` out of the arguments, which are then Google Benchmark's; whether it was there.
bool take(std::string_view flag, int& argc, char** argv) {
  char** end = std::remove_if(argv + 1, argv + argc, [&](const char* argument) { return argument == flag; });
  const bool found = end != argv + argc;
  argc = static_cast<int>(end - argv);
  return found;
}

int run(int argc, char** argv) {
  if (take("--serve", argc, argv)) {
    serve(std::cin, std::cout);
    return 0;
  }
  const bool full = take("--full", argc, argv), quick = take("--quick", argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv) || (full && quick)) return 2;
  const Machine machine = this_machine();
  benchmark::AddCustomContext("cpu", machine.cpu);
  benchmark::AddCustomContext("heed_tier", machine.tier);
  benchmark::AddCustomContext("heed_version", machine.version);
  benchmark::AddCustomContext("heed_commit", machine.commit);
  add_benchmarks(full ? Length::kFull : Length::kQuick, machine);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace heed::bench

int main(int argc, char** argv) {
  try {
    return heed::bench::run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "heed_bench: " << e.what() << '\n';
    return 1;
  }
}
