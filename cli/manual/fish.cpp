// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "manual/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heed::manual {
namespace {

/// fish knows \' inside single quotes, and not '\''.
std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string value(const OptionFacts& option) {
  switch (option.value) {
    case Value::kNone: return "";
    case Value::kChoice: return " -x -a " + fish_quoted(fmt::format("{}", fmt::join(option.choices, " ")));
    case Value::kFile: return " -r -F";
    case Value::kFolder: return " -x -a '(__fish_complete_directories)'";
    case Value::kText: return " -x";
  }
  return "";
}

}  // namespace

std::string fish_completion(const ProgramFacts& program) {
  std::string text = "# fish completion for heed\ncomplete -c heed -n __fish_use_subcommand -f\n";
  for (const CommandFacts& command : program.commands) {
    text += fmt::format("complete -c heed -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(command.text));
    for (const OptionFacts& option : command.options) {
      text += fmt::format("complete -c heed -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      text += fmt::format("{} -d {}\n", value(option), fish_quoted(option.text));
    }
  }
  return text;
}

}  // namespace heed::manual
