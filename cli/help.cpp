// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "help.h"

#include <fmt/format.h>

#include <utility>

Help::Help() {
  column_width(32);
  label("OPTIONS", "options");
  label("SUBCOMMAND", "COMMAND");
  label("Positionals", "Arguments");
}

std::string Help::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0) return "";
  const bool several = option->get_expected_max() == CLI::detail::expected_max_vector_size;
  std::string text = option->get_positional() ? "" : " " + option->get_type_name();
  if (several) text += " ...";
  if (!option->get_default_str().empty()) text += fmt::format(" [{}]", option->get_default_str());
  return text;
}

std::string Help::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode), "\n\n\n",
                                       "\n\n");
}
