// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Writing: each format to a file that replaces the old one in one step.
#include "core/replacement.h"
#include "core/standard_output.h"
#include "io/address.h"
#include "io/csv.h"
#include "io/fault.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/safetensors.h"

#include <heed/io.h>

#include <memory>
#include <span>

namespace heed {
namespace {

constexpr const char* kLoneName = "arr_0";

FileFormat checked_format(const std::string& path, const SaveOptions& options) {
  const auto format = options.format ? options.format : io::format_of(path);
  check(format.has_value(), "save", "{}: expected a path that ends in .npy, .npz, .safetensors or .csv",
        printable(path));
  check(!options.compress || format == FileFormat::kNpz, "save", "{}: compress is for .npz files",
        printable(path));
  return *format;
}

/// Nothing is to be seen of the file before `write` has written all of it.
template <class Write>
void write_file(const std::string& path, const Write& write) {
  std::unique_ptr<OutputFile> file;
  if (path == "-") {
    file = std::make_unique<StandardOutput>();
  } else {
    file = std::make_unique<Replacement>(path);
  }
  write(*file);
  file->commit();
}

}  // namespace

void save(const std::string& path, const Tensor& x, const SaveOptions& options) {
  check_defined(x, "save", "x");
  const FileFormat format = checked_format(path, options);
  if (format == FileFormat::kNpz || format == FileFormat::kSafetensors) {
    return save_all(path, {{kLoneName, x}}, options);
  }
  write_file(path, [&](OutputFile& file) {
    if (format == FileFormat::kNpy) {
      io::write_npy(file, x);
    } else {
      io::write_csv(file, x, options.separator);
    }
  });
}

void save_all(const std::string& path, const std::map<std::string, Tensor>& tensors,
              const SaveOptions& options) {
  const FileFormat format = checked_format(path, options);
  for (const auto& [name, x] : tensors) check_defined(x, "save", in_quotes(name));
  check(format != FileFormat::kNpy, "save",
        "{}: a .npy file holds one tensor without a name; save() writes it", printable(path));
  if (format == FileFormat::kCsv) {
    Table table;
    for (const auto& [name, x] : tensors) table.add(name, x);
    return save_table(path, table, options.separator);
  }
  write_file(path, [&](OutputFile& file) {
    if (format == FileFormat::kNpz) {
      io::write_npz(file, tensors, options.compress);
    } else {
      io::write_safetensors(file, tensors);
    }
  });
}

void save_table(const std::string& path, const Table& table, char separator) {
  write_file(path, [&](OutputFile& file) { io::write_csv(file, table, separator); });
}

std::string written_file(const std::string& path) { return file_behind_links(path); }

void save_bytes(const std::string& path, std::string_view bytes) {
  write_file(path, [&](OutputFile& file) { file.write(std::as_bytes(std::span(bytes))); });
}

}  // namespace heed
