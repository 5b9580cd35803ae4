// What all commands have in common: how their help looks, and what is said about wrong usage.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

/// Prints what `--help` ends with: lines that work when pasted. A test runs them.
void set_example(CLI::App& command, const std::string& lines);

/// A validator: the value is one of these names, or an error that suggests the nearest.
CLI::Validator one_of(const std::vector<std::string>& names);

/// What is wrong, in one line: a mistyped option or command first, with what may have been meant.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);
