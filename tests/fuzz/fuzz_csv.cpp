// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/fuzz.h"
#include "io/csv.h"

namespace {

/// Whatever is asked for: an Error, or a table.
void read_as_insisted(const heed::io::Source& source) {
  using namespace heed;
  for (const char separator : {';', '\t'}) {
    for (const char decimal : {'.', ','}) {
      try {
        const Table table =
            io::read_table(source, {.separator = separator, .decimal = decimal, .missing = {"-", "x"}});
        for (const std::string& name : table.names()) {
          if (table.is_numeric(name)) (void)table.numbers(name);
        }
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed;
  return fuzz::run(data, size, [](const io::Source& source) {
    read_as_insisted(source);
    const Table table = io::read_table(source, {.assumed = [](const std::string&) {}});
    for (const std::string& name : table.names()) {
      if (table.is_numeric(name)) (void)table.numbers(name);
    }
    fuzz::Memory memory;
    io::write_csv(memory, table, ',');
    const auto written = io::memory_source("again", memory.bytes());
    const Table again = io::read_table(*written, {});
    if (again.names() != table.names() || again.rows() != table.rows()) std::abort();
    for (const std::string& name : table.names()) {
      if (again.text(name) != table.text(name)) std::abort();
    }
  });
}
