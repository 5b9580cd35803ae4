// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Does the work of heed bench, which runs it after checking the options: bench PATTERN quick|full THREADS JSON
#include "support/files.h"
#include "support/output.h"
#include "support/program.h"

#include <bench/report.h>
#include <bench/select.h>
#include <fmt/format.h>
#include <heed/quote.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using heed::bench::Case;
using heed::bench::Length;
using heed::bench::Probes;
using heed::bench::Result;

int run(int argc, char** argv) {
  if (argc != 5) {
    complain("this program is run by heed bench");
    return kWrongUsage;
  }
  const std::string only = argv[1], json = argv[4];
  const bool full = std::string_view(argv[2]) == "full";
  const int threads = std::stoi(argv[3]);

  const std::vector<const Case*> cases = heed::bench::select(only, full ? Length::kFull : Length::kQuick);
  if (cases.empty()) {
    complain(fmt::format("--only: no case matches {}", heed::in_quotes(only)));
    return kWrongUsage;
  }
  const heed::bench::Machine machine = heed::bench::this_machine();
  check_output(json);
  const std::set<int> thread_counts = threads > 0 ? std::set{threads} : std::set{1, machine.threads};

  print(fmt::format("heed {} on {}, {}, {} threads\n\n", machine.version, machine.cpu, machine.tier,
                    machine.threads));
  print(heed::bench::table_heading());
  std::vector<Result> results;
  for (const int count : thread_counts) {
    Probes probes(count);
    for (const Case* measured : cases) {
      if (!heed::bench::worth_measuring(*measured, count)) continue;
      const auto& effort = full ? heed::bench::kFullEffort : heed::bench::kQuickEffort;
      const auto rounds = heed::bench::measure(*measured, probes, effort);
      results.push_back({measured, count, heed::bench::summarise(rounds)});
      print(heed::bench::table_row(results.back()));
    }
  }
  if (!json.empty()) save_text(json, heed::bench::json_text(machine, results));
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_program(run, argc, argv); }
