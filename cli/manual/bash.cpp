// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "manual/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heed::manual {
namespace {

/// What completes the value of an option, as one branch of a case; nothing where anything may stand.
std::string branch(const CommandFacts& command, const OptionFacts& option) {
  std::string patterns;
  for (const std::string& name : option.names)
    patterns += (patterns.empty() ? "" : " | ") + shell_quoted(command.name + " " + name);
  switch (option.value) {
    case Value::kNone: return "";
    case Value::kChoice:
      return fmt::format("    {}) _heed_words {}; return ;;\n", patterns,
                         shell_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    case Value::kFile: return fmt::format("    {}) _heed_paths -f; return ;;\n", patterns);
    case Value::kFolder: return fmt::format("    {}) _heed_paths -d; return ;;\n", patterns);
    case Value::kText: return fmt::format("    {}) COMPREPLY=(); return ;;\n", patterns);
  }
  return "";
}

}  // namespace

std::string bash_completion(const ProgramFacts& program) {
  std::string names, values, options;
  for (const CommandFacts& command : program.commands) {
    names += (names.empty() ? "" : " ") + command.name;
    std::string own;
    for (const OptionFacts& option : command.options) {
      values += branch(command, option);
      own += fmt::format("{}{}", own.empty() ? "" : " ", fmt::join(option.names, " "));
    }
    options += fmt::format("      {}) _heed_words {} ;;\n", command.name, shell_quoted(own));
  }
  return fmt::format(R"(# bash completion for heed
_heed_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "${{COMP_WORDS[COMP_CWORD]}}"); }}
_heed_paths() {{
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen "$1" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
_heed() {{
  local command=${{COMP_WORDS[1]}}
  if [ "$COMP_CWORD" -eq 1 ]; then
    _heed_words '{} --help --version'
    return
  fi
  case "$command ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{}  esac
  if [[ ${{COMP_WORDS[COMP_CWORD]}} == -* ]]; then
    case "$command" in
{}    esac
  else
    _heed_paths -f
  fi
}}
complete -F _heed heed
)",
                     names, values, options);
}

}  // namespace heed::manual
