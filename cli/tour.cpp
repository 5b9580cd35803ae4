// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed tour: every experiment of the notes, as text and small pictures or as one page of HTML.
#include "commands.h"
#include "support/files.h"
#include "support/numbers.h"
#include "support/output.h"
#include "tour/html.h"
#include "tour/registry.h"
#include "usage.h"

#include <heed/error.h>
#include <heed/quote.h>
#include <heed/suggest.h>
#include <heed/viz.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace {

using heed::tour::Chapter;
using heed::tour::Experiment;
using heed::tour::Page;

struct Options {
  std::string only;
  std::string out;
  bool list = false;
  std::uint64_t seed = 0;
  int threads = 1;  ///< the experiments are tiny: more would only wait for each other
};

/// CLI11's validators return what is wrong, or nothing.
std::string check_experiment(const std::string& name) {
  if (heed::tour::find_experiment(name)) return "";
  std::vector<std::string> names;
  for (const Experiment& e : heed::tour::experiments()) names.emplace_back(e.name);
  const std::string nearest = heed::nearest_name(name, names);
  const std::string advice = nearest.empty() ? std::string("heed tour --list names them all")
                                             : fmt::format("did you mean '{}'?", nearest);
  return fmt::format("there is no experiment {}; {}", heed::in_quotes(name), advice);
}

/// Names and numbers, separated by commas.
std::string check_experiments(const std::string& text) {
  for (const std::string_view name : split(text, ',')) {
    const std::string wrong = check_experiment(std::string(name));
    if (!wrong.empty()) return wrong;
  }
  return "";
}

/// In the order of the tour, each once.
std::vector<Experiment> chosen(const std::string& only) {
  const auto all = heed::tour::experiments();
  if (only.empty()) return {all.begin(), all.end()};
  std::vector<Experiment> found;
  for (const Experiment& e : all) {
    const auto is_this = [&](std::string_view name) {
      return heed::tour::find_experiment(name)->name == e.name;
    };
    if (std::ranges::any_of(split(only, ','), is_this)) found.push_back(e);
  }
  return found;
}

void list() {
  int number = 0;
  for (const Experiment& e : heed::tour::experiments()) {
    print(fmt::format("{:>2}  {:<16} {}\n", ++number, e.name, e.title));
  }
}

Page page_of(const Experiment& experiment, std::uint64_t seed) {
  Page page;
  experiment.show(page, seed);
  return page;
}

void show(const Experiment& experiment, std::uint64_t seed) {
  const auto all = heed::tour::experiments();
  const auto number = std::ranges::find(all, experiment.name, &Experiment::name) - all.begin() + 1;
  print(fmt::format("{:>2}. {}  [{}]\n", number, experiment.title, experiment.name));
  print(page_of(experiment, seed).text(heed::viz::terminal(STDOUT_FILENO)) + "\n");
}

/// One page for the experiments; the folder is made if it is not there.
void write_page(std::span<const Experiment> experiments, const Options& options) {
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) throw heed::Error(fmt::format("cannot make the folder {}: {}", options.out, error.message()));
  std::vector<Chapter> chapters;
  for (const Experiment& e : experiments) chapters.push_back({e, page_of(e, options.seed)});
  const std::string path = (std::filesystem::path(options.out) / "index.html").string();
  const std::string page = heed::tour::html(chapters, options.seed);
  save_text(path, page);
  print(heed::printable(path) + "\n");
}

void run(const Options& options) {
  if (options.list) return list();
  heed::set_num_threads(options.threads);
  const std::vector<Experiment> shown = chosen(options.only);
  if (!options.out.empty()) return write_page(shown, options);
  for (const Experiment& e : shown) show(e, options.seed);
}

}  // namespace

void add_tour(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("tour", "Show every experiment of the notes, with its numbers and pictures");
  const auto options = std::make_shared<Options>();
  command->option_defaults()->group("What to show");
  command->add_option("--only", options->only, "Only these experiments, by name or number: waist,positions")
      ->type_name("LIST")
      ->check(check_experiments, "");
  command
      ->add_option("--out", options->out,
                   "Write a page there rather than text here: DIR/index.html, with its pictures inside")
      ->type_name("DIR");
  command->add_flag("--list", options->list, "Name the experiments and stop");
  command
      ->add_option("--seed", options->seed, "Where random numbers start; the same seed gives the same text")
      ->type_name("N")
      ->check(check_seed, "")
      ->capture_default_str();
  command
      ->add_option("--threads", options->threads,
                   "Run on so many; the numbers are the same for any number of them")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str();
  set_example(*command, "heed tour --only waist,positions");
  command->callback([options] { run(*options); });
}
