// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How files are read and written, as options of a command say; empty means not given.
#pragma once

#include <heed/io.h>

#include <string>
#include <string_view>
#include <vector>

struct ReadFlags {
  std::string delimiter, decimal;
  std::vector<std::string> missing;
  bool quiet = false;
};

/// What was assumed of a CSV file is said on standard error, once, unless that is to be quiet.
heed::CsvOptions csv_options(const ReadFlags& flags);

struct WriteFlags {
  std::string path = {};  ///< "-" is the standard output
  std::string format = {}, separator = {};

  /// A format for no path is one for the standard output.
  bool wanted() const { return !path.empty() || !format.empty() || !separator.empty(); }
  bool to_standard_output() const { return wanted() && (path.empty() || path == "-"); }
};

/// By --format, or by the end of the path; CSV for the standard output. An Error if neither says, if a separator was given for
/// what is not CSV, if the file could not be written, or if bytes would reach a terminal: now rather than after the work.
void check_writing(const WriteFlags& flags);
/// Of flags that were checked.
heed::FileFormat format_of(const WriteFlags& flags);
heed::SaveOptions save_options(const WriteFlags& flags);

/// "tab", "\t" or one character; 0 if the text is neither.
char parse_separator(std::string_view text);
