// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "file_flags.h"

#include "files.h"

#include <heed/error.h>
#include <heed/quote.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>

namespace {

using heed::FileFormat;

/// In the order of kTensorSuffixes and of FileFormat.
bool ends_in(const std::string& path, std::string_view suffix) { return path.ends_with(suffix); }

std::ptrdiff_t index_of_format(const WriteFlags& flags) {
  const auto named = [&](std::string_view suffix) {
    return flags.format.empty() ? ends_in(flags.path, suffix) : suffix.substr(1) == flags.format;
  };
  return std::ranges::find_if(kTensorSuffixes, named) - kTensorSuffixes.begin();
}

}  // namespace

heed::CsvOptions csv_options(const ReadFlags& flags) {
  heed::CsvOptions options;
  if (!flags.delimiter.empty()) options.separator = parse_separator(flags.delimiter);
  if (!flags.decimal.empty()) options.decimal = flags.decimal.front();
  options.missing = flags.missing;
  if (flags.quiet) return options;
  options.assumed = [](const std::string& line) {
    static std::set<std::string> said;
    if (said.insert(line).second) fmt::print(stderr, "heed: note: {}\n", line);
  };
  return options;
}

FileFormat format_of(const WriteFlags& flags) {
  const std::ptrdiff_t index = index_of_format(flags);
  const bool found = index < static_cast<std::ptrdiff_t>(kTensorSuffixes.size());
  return found ? static_cast<FileFormat>(index) : FileFormat::kCsv;
}

void check_writing(const WriteFlags& flags) {
  if (!flags.wanted()) return;
  const FileFormat format = format_of(flags);
  if (!flags.separator.empty() && format != FileFormat::kCsv) throw heed::Error("--sep is for CSV");
  if (!flags.to_standard_output()) {
    return flags.format.empty() ? check_output(flags.path, kTensorSuffixes) : check_output(flags.path);
  }
  if (format != FileFormat::kCsv && ::isatty(STDOUT_FILENO) == 1) {
    throw heed::Error(fmt::format("--format {} is no text for a terminal; --out names a file", flags.format));
  }
}

heed::SaveOptions save_options(const WriteFlags& flags) {
  return {.format = format_of(flags),
          .separator = flags.separator.empty() ? ',' : parse_separator(flags.separator)};
}

char parse_separator(std::string_view text) {
  if (text == "tab" || text == "\\t") return '\t';
  return text.size() == 1 ? text.front() : '\0';
}
