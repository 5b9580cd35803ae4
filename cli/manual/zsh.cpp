// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "manual/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heed::manual {
namespace {

/// Brackets and colons end a description.
std::string description(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string value(const OptionFacts& option) {
  switch (option.value) {
    case Value::kNone: return "";
    case Value::kChoice: return fmt::format(":value:({})", fmt::join(option.choices, " "));
    case Value::kFile: return ":file:_files";
    case Value::kFolder: return ":folder:_files -/";
    case Value::kText: return ":value: ";
  }
  return "";
}

}  // namespace

std::string zsh_completion(const ProgramFacts& program) {
  std::string names, options;
  for (const CommandFacts& command : program.commands) {
    names += fmt::format("    {}\n", shell_quoted(command.name + ":" + description(command.text)));
    options += fmt::format("    {})\n      _arguments", command.name);
    for (const OptionFacts& option : command.options) {
      for (const std::string& name : option.names) {
        options += " \\\n        " +
                   shell_quoted(fmt::format("{}[{}]{}", name, description(option.text), value(option)));
      }
    }
    options += " \\\n        '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef heed
_heed() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_heed "$@"
)",
                     names, options);
}

}  // namespace heed::manual
