// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the program's options are, for all that is written about them: man pages and completion.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heed::manual {

enum class Value : std::uint8_t { kNone, kText, kChoice, kFile, kFolder };

struct OptionFacts {
  std::vector<std::string> names;  ///< "--help", "-h"; of an argument, its name alone
  std::string group;
  std::string text;
  Value value = Value::kNone;
  std::string type;                  ///< "FILE", "dot|gaussian"
  std::string fallback;              ///< empty if there is none
  std::vector<std::string> choices;  ///< of kChoice
};

struct CommandFacts {
  std::string name, text, example;
  std::vector<OptionFacts> arguments, options;
};

struct ProgramFacts {
  std::string text;
  std::vector<CommandFacts> commands;

  /// Null if there is none of that name.
  const CommandFacts* find(const std::string& name) const;
};

ProgramFacts facts_of(const CLI::App& app);

/// A page in roff: of the program, or of one of its commands.
std::string man_page(const ProgramFacts& program);
std::string man_page(const CommandFacts& command);

/// Scripts for a shell to read.
std::string bash_completion(const ProgramFacts& program);
std::string zsh_completion(const ProgramFacts& program);
std::string fish_completion(const ProgramFacts& program);

/// In single quotes, for any of the three.
std::string shell_quoted(const std::string& text);

}  // namespace heed::manual
