// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Reading: which file, which format, which tensor.
#include "io/address.h"
#include "io/collection.h"
#include "io/csv.h"
#include "io/fault.h"
#include "io/npy.h"

#include <heed/io.h>

#include <algorithm>
#include <array>

namespace heed {
namespace io {
namespace {

std::unique_ptr<Source> open(const std::string& path) {
  return path == "-" ? standard_input() : open_source(path);
}

FileFormat sniff(const Source& source) {
  std::array<std::byte, 9> start{};
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(start.size(), source.size()));
  source.read_at(0, std::span(start).first(length));
  return format_of_bytes(std::span(start).first(length));
}

FileFormat which_format(const std::string& path, const Source& source) {
  const auto by_name = format_of(path);
  return by_name ? *by_name : sniff(source);
}

std::unique_ptr<Collection> open_collection(FileFormat format, const Source& source) {
  return format == FileFormat::kNpz ? open_npz(source) : open_safetensors(source);
}

std::size_t index_of(const Collection& tensors, const Source& source,
                     const std::optional<std::string>& name) {
  const std::vector<std::string>& names = tensors.names();
  if (!name && names.size() == 1) return 0;
  if (!name) {
    fail("load", fmt::format("{}: holds {} tensors; say which, as {}:NAME{}", source.name(), names.size(),
                             source.name(), what_there_is("", names)));
  }
  const auto found = std::ranges::find(names, *name);
  if (found == names.end()) {
    fail("load",
         fmt::format("{}: no tensor {}{}", source.name(), in_quotes(*name), what_there_is(*name, names)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace
}  // namespace io

FileFormat file_format(const std::string& path) {
  const auto by_name = io::format_of(path);
  return by_name ? *by_name : io::sniff(*io::open(path));
}

Tensor load(const std::string& address, const CsvOptions& csv) {
  const io::Address parsed = io::parse_address(address);
  const auto source = io::open(parsed.path);
  const FileFormat format = io::which_format(parsed.path, *source);
  if (format == FileFormat::kNpy) {
    check(!parsed.name, "load", "{}: a .npy file holds one tensor without a name, found the name {}",
          source->name(), in_quotes(parsed.name.value_or("")));
    return io::read_npy(*source);
  }
  if (format == FileFormat::kCsv) {
    const Table table = io::read_table(*source, csv);
    return parsed.name ? table.numbers(*parsed.name) : table.numbers();
  }
  const auto tensors = io::open_collection(format, *source);
  return tensors->read(io::index_of(*tensors, *source, parsed.name));
}

std::map<std::string, Tensor> load_all(const std::string& path, const CsvOptions& csv) {
  const auto source = io::open(path);
  const FileFormat format = io::which_format(path, *source);
  check(format != FileFormat::kNpy, "load",
        "{}: a .npy file holds one tensor without a name; load() reads it", source->name());
  std::map<std::string, Tensor> found;
  if (format == FileFormat::kCsv) {
    const Table table = io::read_table(*source, csv);
    for (const std::string& name : table.names()) found.emplace(name, table.numbers(name));
    return found;
  }
  const auto tensors = io::open_collection(format, *source);
  const std::vector<std::string>& names = tensors->names();
  for (std::size_t i = 0; i < names.size(); ++i) tensors->check_tensor(i);
  for (std::size_t i = 0; i < names.size(); ++i) found.emplace(names[i], tensors->read(i));
  return found;
}

Table load_table(const std::string& path, const CsvOptions& options) {
  return io::read_table(*io::open(path), options);
}

}  // namespace heed
