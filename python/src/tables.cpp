// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"

#include <heed/error.h>
#include <heed/table.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace heed::python {
namespace {

std::optional<char> to_character(const std::optional<std::string>& text, const char* name) {
  if (!text) return std::nullopt;
  if (text->size() == 1) return (*text)[0];
  throw Error("load_table: " + std::string(name) + " must be one character, found " +
              std::to_string(text->size()));
}

}  // namespace

void bind_tables(nb::module_& m) {
  nb::class_<Table>(
      m, "Table",
      "Named columns of equal length, as CSV files hold them.\n\n"
      ">>> table = heed.Table()\n>>> table.add(\"waist\", [51.0, 56.0, 58.0])\n>>> table.names\n['waist']")
      .def(nb::init<>())
      .def_prop_ro("rows", &Table::rows, "How many there are.")
      .def_prop_ro("columns", &Table::columns, "How many there are.")
      .def_prop_ro("names", &Table::names, nb::rv_policy::copy, "Of the columns.")
      .def("is_numeric", &Table::is_numeric, "name"_a, "Whether every cell is a number or missing.")
      .def(
          "numbers",
          [](const Table& table, const std::optional<std::string>& name) {
            return name ? table.numbers(*name) : table.numbers();
          },
          "name"_a = nb::none(),
          "(rows,) of f64, NaN where missing; without a name all columns, (rows, columns).")
      .def("text", &Table::text, "name"_a, "The cells of a column.")
      .def(
          "cell",
          [](const Table& table, std::int64_t row, std::int64_t column) {
            return std::string(table.cell(row, column));
          },
          "row"_a, "column"_a, "One cell, counted from 0.")
      .def(
          "add",
          [](Table& table, const std::string& name, nb::handle cells) {
            std::vector<std::string> text;
            if (!nb::isinstance<Tensor>(cells) && nb::try_cast(cells, text)) {
              table.add(name, text);
            } else {
              table.add(name, to_exact(cells, "Table.add: cells"));
            }
          },
          "name"_a, "cells"_a,
          nb::sig("def add(self, name: str, cells: heed._typing.ArrayLike | collections.abc.Sequence[str]) "
                  "-> None"),
          "A new last column.");
  m.def(
      "load_table",
      [](const std::filesystem::path& path, std::optional<bool> header,
         const std::optional<std::string>& separator, const std::optional<std::string>& decimal,
         const std::vector<std::string>& missing) {
        const CsvHeader wanted = !header   ? CsvHeader::kDetect
                                 : *header ? CsvHeader::kPresent
                                           : CsvHeader::kAbsent;
        CsvOptions options{.header = wanted,
                           .separator = to_character(separator, "separator"),
                           .decimal = to_character(decimal, "decimal"),
                           .missing = missing};
        const Computing computing;
        return load_table(path.string(), options);
      },
      "path"_a, nb::kw_only(), "header"_a = nb::none(), "separator"_a = nb::none(), "decimal"_a = nb::none(),
      "missing"_a = nb::tuple(),
      nb::sig("def load_table(path: str | os.PathLike[str], *, header: bool | None = None, separator: str | "
              "None = None, "
              "decimal: str | None = None, missing: collections.abc.Sequence[str] = ()) -> Table"),
      "A CSV file, of text and numbers. header says whether the first row names the columns; None finds "
      "out.\n\n"
      ">>> path = tmp / \"people.csv\"\n>>> _ = path.write_text(\"name,waist\\nAnn,51\\nBob,56\\n\")\n"
      ">>> heed.load_table(path).numbers(\"waist\").tolist()\n[51.0, 56.0]");
  m.def(
      "save_table",
      [](const std::filesystem::path& path, const Table& table) { save_table(path.string(), table); },
      "path"_a, "table"_a, WhileComputing(),
      nb::sig("def save_table(path: str | os.PathLike[str], table: Table) -> None"),
      "Writes a table, with a header.\n\n"
      ">>> table = heed.Table()\n>>> table.add(\"waist\", [51.0, 56.0])\n>>> heed.save_table(tmp / "
      "\"t.csv\", table)");
}

}  // namespace heed::python
