// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed man and heed completion: what the options are, for man and for shells.
#include "commands.h"
#include "manual/facts.h"
#include "support/output.h"
#include "usage.h"

#include <heed/quote.h>

#include <fmt/format.h>

#include <memory>
#include <string>

namespace {

using namespace heed::manual;

void print_page(const CLI::App& app, const std::string& name) {
  const ProgramFacts program = facts_of(app);
  if (name.empty()) return print(man_page(program));
  const CommandFacts* command = program.find(name);
  if (!command)
    throw CLI::ValidationError("COMMAND", fmt::format("there is no command {}", heed::in_quotes(name)));
  print(man_page(*command));
}

void print_completion(const CLI::App& app, const std::string& shell) {
  const ProgramFacts program = facts_of(app);
  print(shell == "bash"  ? bash_completion(program)
        : shell == "zsh" ? zsh_completion(program)
                         : fish_completion(program));
}

}  // namespace

void add_man(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print the page of the program, or of a command, for man");
  const auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name, "Which; the program without")->type_name("COMMAND");
  const auto list = std::make_shared<bool>(false);
  command->add_flag("--list", *list, "Name the commands and stop")->group("Output");
  set_example(*command, "heed man attend > heed-attend.1");
  command->callback([&app, name, list] {
    if (!*list) return print_page(app, *name);
    for (const CommandFacts& facts : facts_of(app).commands) print(facts.name + "\n");
  });
}

void add_completion(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("completion", "Print what lets a shell complete commands and options");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->type_name("bash|zsh|fish")
      ->check(one_of({"bash", "zsh", "fish"}))
      ->required();
  set_example(*command, "heed completion bash > heed.bash");
  command->callback([&app, shell] { print_completion(app, *shell); });
}
