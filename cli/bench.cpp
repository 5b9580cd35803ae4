// heed bench: how fast attention runs here, as ratios to what the machine can do at the same moment.
#include "commands.h"
#include "support/files.h"
#include "support/output.h"
#include "usage.h"

#include <heed/runtime.h>

#include <bench/report.h>
#include <bench/select.h>
#include <fmt/format.h>

#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

using heed::bench::Case;
using heed::bench::Length;
using heed::bench::Probes;
using heed::bench::Result;

struct Options {
  std::string json;
  std::string only;
  bool quick = false;  ///< the default; only there to be said
  bool full = false;
  int threads = 0;  ///< 0 means one, and all

  Length length() const { return full ? Length::kFull : Length::kQuick; }
};

/// CLI11's validators return what is wrong, or nothing.
std::string check_pattern(const std::string& pattern) {
  try {
    std::regex unused(pattern);
    return "";
  } catch (const std::regex_error&) {
    return fmt::format("'{}' is not a regular expression", pattern);
  }
}

std::vector<const Case*> chosen_cases(const Options& options) {
  std::vector<const Case*> cases = heed::bench::select(options.only, options.length());
  if (!cases.empty()) return cases;
  throw CLI::ValidationError("--only", fmt::format("no case matches '{}'", options.only));
}

void run(const Options& options) {
  const std::vector<const Case*> cases = chosen_cases(options);
  const heed::bench::Machine machine = heed::bench::this_machine();
  check_output(options.json);
  const std::set<int> thread_counts =
      options.threads > 0 ? std::set{options.threads} : std::set{1, machine.threads};

  print(fmt::format("heed {} on {}, {}, {} threads\n\n", machine.version, machine.cpu, machine.tier,
                    machine.threads));
  print(heed::bench::table_heading());
  std::vector<Result> results;
  for (const int threads : thread_counts) {
    Probes probes(threads);
    for (const Case* measured : cases) {
      if (!heed::bench::worth_measuring(*measured, threads)) continue;
      const auto& effort = options.full ? heed::bench::kFullEffort : heed::bench::kQuickEffort;
      const auto rounds = heed::bench::measure(*measured, probes, effort);
      results.push_back({measured, threads, heed::bench::summarise(rounds)});
      print(heed::bench::table_row(results.back()));
    }
  }
  if (!options.json.empty()) save_text(options.json, heed::bench::json_text(machine, results));
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bench", "Measure how fast attention runs here, in the rounds that no other program disturbs");
  const auto options = std::make_shared<Options>();
  command->option_defaults()->group("What to measure");
  command->add_option("--only", options->only, "Only cases whose name matches this regular expression")
      ->type_name("REGEX")
      ->check(check_pattern, "");
  CLI::Option* quick =
      command->add_flag("--quick", options->quick, "15 quiet rounds a case, if they come; the default");
  command->add_flag("--full", options->full, "60 quiet rounds, and the cases that take long")
      ->excludes(quick);
  command->add_option("--threads", options->threads, "Only on so many threads; otherwise on one, and on all")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  command->add_option("--json", options->json, "Also write the results to this file")
      ->type_name("FILE")
      ->group("Output");
  set_example(*command, "heed bench --only regression_epoch --threads 1");
  command->callback([options] { run(*options); });
}
