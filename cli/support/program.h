// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the programs have in common: exit codes, the memory they may use, and one line about what went wrong.
#pragma once

#include <cstddef>
#include <span>
#include <string>

inline constexpr int kCouldNot = 1;
inline constexpr int kWrongUsage = 2;

/// One line on standard error, whatever the message quotes from the command line or a file.
void complain(const std::string& message);

/// The first and the last of a long text.
std::string shortened(const std::string& text, std::size_t longest);
/// A message in which no argument of the command line stands at more than a glance's length.
std::string shortened(std::string message, std::span<char* const> arguments);

/// What main() returns: the result of `run`, or kCouldNot after a complaint about what it threw.
int run_program(int (*run)(int argc, char** argv), int argc, char** argv);
