#include "fuzz/fuzz.h"
#include "io/csv.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed;
  return fuzz::run(data, size, [](const io::Source& source) {
    const Table table = io::read_table(source, {});
    for (const std::string& name : table.names()) {
      if (table.is_numeric(name)) (void)table.numbers(name);
    }
    fuzz::Memory memory;
    io::write_csv(memory, table);
    const auto written = io::memory_source("again", memory.bytes());
    const Table again = io::read_table(*written, {});
    if (again.names() != table.names() || again.rows() != table.rows()) std::abort();
    for (const std::string& name : table.names()) {
      if (again.text(name) != table.text(name)) std::abort();
    }
  });
}
