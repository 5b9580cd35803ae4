// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What all commands have in common: how their help looks, and what is said about wrong usage.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

/// For a program that has all its commands: lists them as such, and help with what is printed.
void arrange_help(CLI::App& app);

/// For a program that has all its commands: --threads for each of them that has no such option of its own.
void add_threads(CLI::App& app);

/// For a program that has all its commands: an option given the empty text is an error, not an option that was not given.
/// Titles and labels alone may be empty.
void refuse_empty_values(CLI::App& app);

/// What `--help` ends with: lines that work when pasted. A test runs them.
void set_example(CLI::App& command, const std::string& lines);

/// A validator: the value is one of these names, or an error that suggests the nearest.
CLI::Validator one_of(const std::vector<std::string>& names);

/// A validator: a finite number above 0.
CLI::Validator positive();

/// A validator: a finite number.
CLI::Validator finite();

/// A validator: a whole number, `least` or more.
CLI::Validator whole_number(std::int64_t least);

/// An output and the option that names it; "-" and the empty path are none.
struct NamedOutput {
  const char* option;
  const std::string& path;
};
/// Wrong usage if two of them are one file, by whatever spelling or links: the second would replace the first.
void check_distinct(std::initializer_list<NamedOutput> outputs);

/// What is wrong, in one line: a mistyped option or command first, with what may have been meant.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);
