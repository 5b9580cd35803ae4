// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "manual/facts.h"

#include "support/numbers.h"

#include <algorithm>
#include <cctype>

namespace heed::manual {
namespace {

/// "dot|gaussian" names its choices; "FILE|LIST" says what may stand there.
std::vector<std::string> choices_of(const std::string& type) {
  std::vector<std::string> choices;
  for (const std::string_view part : split(type, '|')) choices.emplace_back(part);
  const bool named = std::ranges::none_of(type, [](unsigned char c) { return std::isupper(c) != 0; });
  return choices.size() > 1 && named ? choices : std::vector<std::string>();
}

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts{.names = {},
                    .group = option.get_group(),
                    .text = option.get_description(),
                    .type = option.get_type_name(),
                    .fallback = option.get_default_str(),
                    .choices = {}};
  if (option.get_positional()) facts.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  if (option.get_items_expected_max() == 0) return facts;
  facts.choices = choices_of(facts.type);
  const auto says = [&](const char* word) { return facts.type.find(word) != std::string::npos; };
  facts.value = !facts.choices.empty() ? Value::kChoice
                : says("FILE")         ? Value::kFile
                : says("DIR")          ? Value::kFolder
                                       : Value::kText;
  return facts;
}

}  // namespace

const CommandFacts* ProgramFacts::find(const std::string& name) const {
  const auto found = std::ranges::find(commands, name, &CommandFacts::name);
  return found == commands.end() ? nullptr : &*found;
}

ProgramFacts facts_of(const CLI::App& app) {
  ProgramFacts program{.text = app.get_description(), .commands = {}};
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    CommandFacts command{.name = sub->get_name(),
                         .text = sub->get_description(),
                         .example = sub->get_footer(),
                         .arguments = {},
                         .options = {}};
    for (const CLI::Option* option : sub->get_options()) {
      (option->get_positional() ? command.arguments : command.options).push_back(facts_of(*option));
    }
    program.commands.push_back(std::move(command));
  }
  return program;
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace heed::manual
