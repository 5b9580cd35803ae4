// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "file_options.h"

#include "usage.h"

#include <heed/quote.h>

#include <fmt/format.h>

#include <cctype>

namespace {

/// CLI11's validators return what is wrong, or nothing.
std::string check_separator(const std::string& text) {
  const char c = parse_separator(text);
  const bool good = c == '\t' || (std::ispunct(static_cast<unsigned char>(c)) != 0 && c != '"' && c != '.' &&
                                  c != '+' && c != '-');
  return good ? "" : fmt::format("{} is not a separator, such as ',', ';' or tab", heed::in_quotes(text));
}

}  // namespace

void add_reading_options(CLI::App& command, ReadFlags& flags) {
  const char* group = "CSV files, where what their first rows show is not meant";
  command.add_option("--delimiter", flags.delimiter, "Between fields: one character, or tab")
      ->type_name("CHAR")
      ->check(check_separator, "")
      ->group(group);
  command.add_option("--decimal", flags.decimal, "In numbers")
      ->type_name(".|,")
      ->check(one_of({".", ","}))
      ->group(group);
  command.add_option("--na", flags.missing, "What stands for a missing value, besides an empty field")
      ->type_name("TEXT")
      ->group(group);
}

void add_writing_options(CLI::App& command, WriteFlags& flags, const std::string& what) {
  command.add_option("--out", flags.path, what + "; - is the standard output")
      ->type_name("FILE")
      ->group("Output");
  command.add_option("--format", flags.format, "Of --out, whatever its name")
      ->type_name("npy|npz|safetensors|csv")
      ->check(one_of({"npy", "npz", "safetensors", "csv"}))
      ->group("Output");
  command
      .add_option("--sep", flags.separator,
                  "Between the fields of CSV: one character, or tab; a comma otherwise")
      ->type_name("CHAR")
      ->check(check_separator, "")
      ->group("Output");
}

void add_result_options(CLI::App& command, ResultFlags& flags) {
  add_writing_options(command, flags.out, "Write the result there rather than print it");
  command.add_flag("--json", flags.json, "Print the result as JSON, also where --out writes it")
      ->group("Output");
}

void check_result_usage(const ResultFlags& flags) {
  if (!flags.json || !flags.out.to_standard_output()) return;
  throw CLI::ValidationError("--json", "--out, --format and --sep print too; give one of them");
}
