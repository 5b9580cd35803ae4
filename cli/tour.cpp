// heed tour: every experiment of the notes, as text and numbers.
#include "commands.h"
#include "output.h"
#include "tour/registry.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>

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
  return fmt::format("there is no experiment '{}'; did you mean '{}'? heed tour --list names them all", name,
                     heed::tour::nearest_experiment(name).name);
}

void list() {
  int number = 0;
  for (const Experiment& e : heed::tour::experiments())
    print(fmt::format("{:>2}  {:<16} {}\n", ++number, e.name, e.title));
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
      ->capture_default_str();
  command->callback([options] { run(*options); });
}
