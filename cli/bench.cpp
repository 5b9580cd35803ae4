// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed bench: how fast attention runs here, as ratios to what the machine can do at the same moment.
#include "bench/program.h"
#include "commands.h"
#include "usage.h"

#include <heed/quote.h>

#include <fmt/format.h>

#include <memory>
#include <regex>
#include <string>

namespace {

/// CLI11's validators return what is wrong, or nothing.
std::string check_pattern(const std::string& pattern) {
  try {
    std::regex unused(pattern);
    return "";
  } catch (const std::regex_error&) {
    return fmt::format("{} is not a regular expression", heed::in_quotes(pattern));
  }
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bench", "Measure how fast attention runs here, in the rounds that no other program disturbs");
  const auto request = std::make_shared<BenchRequest>();
  command->option_defaults()->group("What to measure");
  command->add_option("--only", request->only, "Only cases whose name matches this regular expression")
      ->type_name("REGEX")
      ->check(check_pattern, "");
  const std::string of_quick = "15 quiet rounds a case, if they come; the default";
  CLI::Option* quick = command->add_flag("--quick", of_quick);
  command->add_flag("--full", request->full, "60 quiet rounds, and the cases that take long")
      ->excludes(quick);
  command->add_option("--threads", request->threads, "Only on so many threads; otherwise on one, and on all")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  command->add_option("--json", request->json, "Also write the results to this file")
      ->type_name("FILE")
      ->group("Output");
  set_example(*command, "heed bench --only regression_epoch --threads 1");
  command->callback([request] { become_bench_program(*request); });
}
