// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How help looks: types and defaults without clutter.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

class Help : public CLI::Formatter {
 public:
  Help();
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};
