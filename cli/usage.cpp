#include "usage.h"

#include "support/numbers.h"

#include <heed/suggest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace {

std::string did_you_mean(const std::string& wanted, const std::vector<std::string>& names) {
  const std::string near = heed::nearest_name(wanted, names);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
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
    return fmt::format("there is no option {}{}", name, did_you_mean(name, option_names(command)));
  }
  if (unknown.empty() || &command != &app) return "";
  return fmt::format("there is no command '{}'{}", unknown.front(),
                     did_you_mean(unknown.front(), command_names(app)));
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
    return fmt::format("'{}' is none of {}{}", value, fmt::join(names, ", "), did_you_mean(value, names));
  };
  return CLI::Validator(check, "");
}

CLI::Validator positive() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> number = parse_number(text);
    if (number && *number > 0 && std::isfinite(*number)) return "";
    return fmt::format("'{}' is not a number above 0", text);
  };
  return CLI::Validator(check, "");
}

CLI::Validator whole_number(std::int64_t least) {
  const auto check = [least](const std::string& text) -> std::string {
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= least) return "";
    return fmt::format("'{}' is not a whole number of at least {}", text, least);
  };
  return CLI::Validator(check, "");
}

std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::string unknown = about_unknown(app);
  const CLI::App& command = asked_for(app);
  return fmt::format("{} (try heed {}{}--help)", unknown.empty() ? error.what() : unknown,
                     &command == &app ? "" : command.get_name(), &command == &app ? "" : " ");
}
