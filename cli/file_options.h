// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The options that all commands share which read or write files of numbers.
#pragma once

#include "support/result.h"

#include <CLI/CLI.hpp>

/// --delimiter, --decimal and --na.
void add_reading_options(CLI::App& command, ReadFlags& flags);

/// --out, --format, --sep and --json.
void add_result_options(CLI::App& command, ResultFlags& flags);

/// Wrong usage if two of them print.
void check_result_usage(const ResultFlags& flags);

/// --out, described by `what`, --format and --sep.
void add_writing_options(CLI::App& command, WriteFlags& flags, const std::string& what);
