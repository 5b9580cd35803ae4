// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "usage.h"

#include "support/numbers.h"
#include "support/program.h"

#include <heed/io.h>
#include <heed/quote.h>
#include <heed/runtime.h>
#include <heed/suggest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

namespace {

constexpr std::size_t kLongestName = 60;

std::string did_you_mean(const std::string& wanted, const std::vector<std::string>& names) {
  const std::string near = heed::nearest_name(wanted, names);
  return near.empty() ? "" : fmt::format("; did you mean {}?", heed::in_quotes(near));
}

/// The command that was asked for, or the whole program.
const CLI::App& asked_for(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

/// What the parser did not know: an option, or a command where none was given.
std::string about_unknown(const CLI::App& app) {
  const CLI::App& command = asked_for(app);
  const std::vector<std::string> unknown = app.remaining(true);
  const auto option = std::ranges::find_if(unknown, [](const std::string& s) { return s.starts_with("--"); });
  if (option != unknown.end()) {
    const std::string name = option->substr(0, option->find('='));
    return fmt::format("there is no option {}{}", shortened(name, kLongestName),
                       did_you_mean(name, option_names(command)));
  }
  if (unknown.empty() || &command != &app) return "";
  return fmt::format("there is no command {}{}", heed::in_quotes(unknown.front()),
                     did_you_mean(unknown.front(), command_names(app)));
}

bool same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code missing;
  // What is not there yet is only made canonical below a folder that is.
  const fs::path first = fs::absolute(heed::written_file(a)), second = fs::absolute(heed::written_file(b));
  return fs::weakly_canonical(first, missing) == fs::weakly_canonical(second, missing) ||
         fs::equivalent(first, second, missing);
}

}  // namespace

void arrange_help(CLI::App& app) {
  app.set_help_flag("-h,--help", "Print this and stop");
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    command->group("Commands");
    // What was added first is listed first, and help interests last.
    command->set_help_flag("-h,--help", "Print this and stop")->group("Output");
  }
}

void add_threads(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    const std::string& name = command->get_name();
    const bool computes = name != "man" && name != "completion";
    if (!computes || command->get_option_no_throw("--threads") != nullptr) continue;
    command
        ->add_option_function<int>("--threads", heed::set_num_threads,
                                   "Run on so many; on all there are otherwise")
        ->type_name("N")
        ->check(CLI::Range(1, 1024).description(""))
        ->group("Output");
  }
}

void refuse_empty_values(CLI::App& app) {
  const CLI::Validator not_empty(
      [](const std::string& text) { return text.empty() ? "expected a value, found ''" : ""; }, "");
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_type_size() > 0 && option->get_type_name() != "TEXT") option->check(not_empty);
    }
  }
}

void set_example(CLI::App& command, const std::string& lines) {
  std::string text = "Example:\n  " + lines;
  for (std::size_t end = text.find('\n', 10); end != std::string::npos; end = text.find('\n', end + 1)) {
    text.insert(end + 1, "  ");
  }
  command.footer(text);
}

CLI::Validator one_of(const std::vector<std::string>& names) {
  const auto check = [names](const std::string& value) -> std::string {
    if (std::ranges::find(names, value) != names.end()) return "";
    return fmt::format("{} is none of {}{}", heed::in_quotes(value), fmt::join(names, ", "),
                       did_you_mean(value, names));
  };
  return CLI::Validator(check, "");
}

CLI::Validator positive() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> number = parse_number(text);
    if (number && *number > 0 && std::isfinite(*number)) return "";
    return fmt::format("{} is not a number above 0", heed::in_quotes(text));
  };
  return CLI::Validator(check, "");
}

CLI::Validator finite() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> number = parse_number(text);
    if (number && std::isfinite(*number)) return "";
    return fmt::format("{} is not a finite number", heed::in_quotes(text));
  };
  return CLI::Validator(check, "");
}

CLI::Validator whole_number(std::int64_t least) {
  const auto check = [least](const std::string& text) -> std::string {
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= least) return "";
    return fmt::format("{} is not a whole number of at least {}", heed::in_quotes(text), least);
  };
  return CLI::Validator(check, "");
}

void check_distinct(std::initializer_list<NamedOutput> outputs) {
  const auto is_file = [](const NamedOutput& o) { return !o.path.empty() && o.path != "-"; };
  for (const NamedOutput& a : outputs) {
    for (const NamedOutput& b : outputs) {
      if (&a >= &b || !is_file(a) || !is_file(b) || !same_file(a.path, b.path)) continue;
      throw CLI::ValidationError(b.option, fmt::format("{} would replace what {} writes: it is the same file",
                                                       heed::in_quotes(b.path), a.option));
    }
  }
}

std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::string unknown = about_unknown(app);
  const CLI::App& command = asked_for(app);
  return fmt::format("{} (try heed {}{}--help)", unknown.empty() ? error.what() : unknown,
                     &command == &app ? "" : command.get_name(), &command == &app ? "" : " ");
}
