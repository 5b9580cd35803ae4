// heed tour: every experiment of the notes, as text and numbers.
#include "commands.h"
#include "support/output.h"
#include "tour/registry.h"
#include "usage.h"

#include <heed/suggest.h>

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

using heed::tour::Experiment;

struct Options {
  std::string only;
  bool list = false;
  std::uint64_t seed = 0;
};

/// CLI11's validators return what is wrong, or nothing.
std::string check_experiment(const std::string& name) {
  if (heed::tour::find_experiment(name)) return "";
  std::vector<std::string> names;
  for (const Experiment& e : heed::tour::experiments()) names.emplace_back(e.name);
  const std::string nearest = heed::nearest_name(name, names);
  const std::string advice = nearest.empty() ? std::string("heed tour --list names them all")
                                             : fmt::format("did you mean '{}'?", nearest);
  return fmt::format("there is no experiment '{}'; {}", name, advice);
}

/// CLI11 alone would take -1 for a large number, and a number too large for the largest there is.
std::string check_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc{} && stop == end) return "";
  return fmt::format("'{}' is not a whole number of 0 to 2^64 - 1", text);
}

void list() {
  int number = 0;
  for (const Experiment& e : heed::tour::experiments()) {
    print(fmt::format("{:>2}  {:<16} {}\n", ++number, e.name, e.title));
  }
}

void show(const Experiment& experiment, std::uint64_t seed) {
  const auto number = &experiment - heed::tour::experiments().data() + 1;
  print(fmt::format("{:>2}. {}  [{}]\n", number, experiment.title, experiment.name));
  heed::tour::Page page;
  experiment.show(page, seed);
  print(page.text() + "\n");
}

void run(const Options& options) {
  if (options.list) return list();
  // The experiments are tiny: threads would only wait for each other. The numbers are the same for any number of them.
  heed::set_num_threads(1);
  if (!options.only.empty()) return show(*heed::tour::find_experiment(options.only), options.seed);
  for (const Experiment& e : heed::tour::experiments()) show(e, options.seed);
}

}  // namespace

void add_tour(CLI::App& app) {
  CLI::App* command = app.add_subcommand("tour", "Show every experiment of the notes, as text and numbers");
  const auto options = std::make_shared<Options>();
  command->add_option("--only", options->only, "Only this experiment, by name or number")
      ->type_name("NAME|NUMBER")
      ->check(check_experiment, "");
  command->add_flag("--list", options->list, "Name the experiments and stop");
  command
      ->add_option("--seed", options->seed, "Where random numbers start; the same seed gives the same text")
      ->type_name("N")
      ->check(check_seed, "")
      ->capture_default_str();
  set_example(*command, "heed tour --only waist");
  command->callback([options] { run(*options); });
}
