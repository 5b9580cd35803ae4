// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed bmm: the matrix product, batch by batch.
#include "attend/operands.h"
#include "commands.h"
#include "file_options.h"
#include "usage.h"

#include <heed/ops.h>

#include <memory>

namespace {

struct Options {
  std::string a, b;
  ReadFlags read;
  ResultFlags result;
};

void run(const Options& o) {
  check_result_usage(o.result);
  check_writing(o.result.out);
  const heed::CsvOptions csv = csv_options(o.read);
  heed::Tensor a = heed::command::load_floats(o.a, csv), b = heed::command::load_floats(o.b, csv);
  const heed::Dtype dtype = heed::promote(a.dtype(), b.dtype());
  a = a.to(dtype);
  b = b.to(dtype);
  give(o.result, a.rank() == 2 && b.rank() == 2 ? heed::matmul(a, b) : heed::bmm(a, b));
}

}  // namespace

void add_bmm(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bmm", "Multiply matrices, batch by batch");
  const auto o = std::make_shared<Options>();
  command->add_option("A", o->a, "(B, m, k), or (m, k) of one batch")->type_name("FILE")->required();
  command->add_option("B", o->b, "(B, k, n), or (k, n)")->type_name("FILE")->required();
  add_reading_options(*command, o->read);
  add_result_options(*command, o->result);
  command->add_flag("--quiet", o->read.quiet, "No notes")->group("Output");
  set_example(*command, "printf '1,2\\n3,4\\n' > a.csv\nheed bmm a.csv a.csv");
  command->callback([o] { run(*o); });
}
