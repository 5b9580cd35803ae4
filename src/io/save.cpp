// Writing: each format to a file that replaces the old one in one step.
#include "core/replacement.h"
#include "io/address.h"
#include "io/csv.h"
#include "io/fault.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/safetensors.h"

#include <heed/io.h>

#include <span>

namespace heed {
namespace {

constexpr const char* kLoneName = "arr_0";

io::Format checked_format(const std::string& path, const SaveOptions& options) {
  const auto format = io::format_of(path);
  check(format.has_value(), "save", "{}: expected a path that ends in .npy, .npz, .safetensors or .csv",
        printable(path));
  check(!options.compress || format == io::Format::kNpz, "save", "{}: compress is for .npz files",
        printable(path));
  return *format;
}

}  // namespace

void save(const std::string& path, const Tensor& x, const SaveOptions& options) {
  check_defined(x, "save", "x");
  const io::Format format = checked_format(path, options);
  if (format == io::Format::kNpz || format == io::Format::kSafetensors) {
    return save_all(path, {{kLoneName, x}}, options);
  }
  Replacement file(path);
  if (format == io::Format::kNpy) {
    io::write_npy(file, x);
  } else {
    io::write_csv(file, x);
  }
  file.commit();
}

void save_all(const std::string& path, const std::map<std::string, Tensor>& tensors,
              const SaveOptions& options) {
  const io::Format format = checked_format(path, options);
  for (const auto& [name, x] : tensors) check_defined(x, "save", in_quotes(name));
  check(format != io::Format::kNpy, "save",
        "{}: a .npy file holds one tensor without a name; save() writes it", printable(path));
  if (format == io::Format::kCsv) {
    Table table;
    for (const auto& [name, x] : tensors) table.add(name, x);
    return save_table(path, table);
  }
  Replacement file(path);
  if (format == io::Format::kNpz) {
    io::write_npz(file, tensors, options.compress);
  } else {
    io::write_safetensors(file, tensors);
  }
  file.commit();
}

void save_table(const std::string& path, const Table& table) {
  Replacement file(path);
  io::write_csv(file, table);
  file.commit();
}

void save_bytes(const std::string& path, std::string_view bytes) {
  Replacement file(path);
  file.write(std::as_bytes(std::span(bytes)));
  file.commit();
}

}  // namespace heed
