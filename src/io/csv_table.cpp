// Tables from CSV files.
#include "core/parallel.h"
#include "io/csv.h"
#include "io/fault.h"

namespace heed {
namespace io {

/// Fills a Table row by row.
class TableReader {
 public:
  TableReader(const Source& source, const CsvOptions& options) : options_(options) {
    table_.file_ = source.name();
    text_.resize(static_cast<std::size_t>(source.size()));
    source.read_at(0, std::as_writable_bytes(std::span(text_)));
  }

  Table read() {
    CsvParser parser(table_.file_, text_, options_.separator);
    CsvRow row;
    check(parser.next(row), "load", "{}: expected at least one row, found an empty file", table_.file_);
    const bool named = has_header(row);
    name_columns(row, named);
    if (!named) append(row);
    while (parser.next(row)) {
      if (row.line % 1024 == 0) poll_interrupt();
      check(row.fields.size() == table_.names_.size(), "load",
            "{}: line {}: expected {} fields, as in {}, found {}", table_.file_, row.line,
            table_.names_.size(), named ? "the header" : "the first row", row.fields.size());
      append(row);
    }
    return std::move(table_);
  }

 private:
  bool has_header(const CsvRow& first) const {
    if (options_.header != CsvHeader::kDetect) return options_.header == CsvHeader::kPresent;
    for (const std::string& field : first.fields) {
      if (classify(field).kind == CellKind::kText) return true;
    }
    return false;
  }

  void name_columns(const CsvRow& first, bool named) {
    for (std::size_t i = 0; i < first.fields.size(); ++i) {
      const std::string name = named ? first.fields[i] : std::to_string(i + 1);
      if (table_.places_.contains(name)) {
        fail("load", fmt::format("{}: line {}: the column name {} appears twice", table_.file_, first.line,
                                 in_quotes(name)));
      }
      table_.add_column(name, 0);
    }
  }

  void append(const CsvRow& row) {
    for (std::size_t i = 0; i < row.fields.size(); ++i) table_.columns_[i].append(row.fields[i]);
    table_.lines_.push_back(row.line);
    ++table_.rows_;
  }

  CsvOptions options_;
  std::string text_;
  Table table_;
};

Table read_table(const Source& source, const CsvOptions& options) {
  return TableReader(source, options).read();
}

}  // namespace io
}  // namespace heed
