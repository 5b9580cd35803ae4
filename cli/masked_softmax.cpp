// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed masked-softmax: scores into weights, without what is masked.
#include "attend/operands.h"
#include "commands.h"
#include "file_options.h"
#include "usage.h"

#include <heed/ops.h>

#include <memory>

namespace {

struct Options {
  std::string scores, lengths, mask;
  ReadFlags read;
  ResultFlags result;
};

void run(const Options& o) {
  check_result_usage(o.result);
  check_writing(o.result.out);
  const heed::CsvOptions csv = csv_options(o.read);
  const heed::Tensor scores = heed::command::load_floats(o.scores, csv);
  if (!o.mask.empty()) {
    return give(o.result, heed::masked_softmax_where(scores, heed::command::load_mask(o.mask, csv)));
  }
  heed::Tensor lengths;
  if (!o.lengths.empty()) lengths = heed::command::read_lengths(o.lengths, csv);
  give(o.result, heed::masked_softmax(scores, lengths));
}

}  // namespace

void add_masked_softmax(CLI::App& app) {
  CLI::App* command = app.add_subcommand("masked-softmax", "Softmax of scores over what is not masked");
  const auto o = std::make_shared<Options>();
  command->add_option("SCORES", o->scores, "(Lq, Lk) or (B, Lq, Lk)")->type_name("FILE")->required();
  CLI::Option* lengths =
      command
          ->add_option("--valid-lens", o->lengths,
                       "The first so many of a row: (B,) as 2,6 or (B, Lq) as 1,2;3,4; (Lq,) without batches")
          ->type_name("LIST|FILE")
          ->group("Mask");
  command->add_option("--mask", o->mask, "Booleans, or 0 and 1; broadcast to the scores; true is look at")
      ->type_name("FILE")
      ->excludes(lengths)
      ->group("Mask");
  add_reading_options(*command, o->read);
  add_result_options(*command, o->result);
  command->add_flag("--quiet", o->read.quiet, "No notes")->group("Output");
  set_example(*command,
              "printf '0.2,0.4,0.1\\n0.5,0.5,0.9\\n' > scores.csv\n"
              "heed masked-softmax scores.csv --valid-lens 2,3");
  command->callback([o] { run(*o); });
}
