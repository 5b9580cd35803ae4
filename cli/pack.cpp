// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed pack: tensors from files under names in one file, such as the parameters of a layer.
#include "attend/operands.h"
#include "commands.h"
#include "file_options.h"
#include "support/files.h"
#include "usage.h"

#include <heed/io.h>
#include <heed/quote.h>

#include <fmt/format.h>

#include <map>
#include <memory>

namespace {

struct Options {
  std::vector<std::string> parts;
  ReadFlags read;
  WriteFlags out;
};

/// CLI11's validators return what is wrong, or nothing.
std::string check_part(const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool good = equals != std::string::npos && equals > 0 && equals + 1 < text.size();
  return good ? "" : fmt::format("{} is not NAME=FILE", heed::in_quotes(text));
}

void run(const Options& o) {
  check_writing(o.out);
  std::map<std::string, heed::Tensor> tensors;
  for (const std::string& part : o.parts) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    if (!tensors.emplace(name, heed::load(part.substr(equals + 1), csv_options(o.read))).second) {
      throw CLI::ValidationError("NAME=FILE", fmt::format("{} is named twice", heed::in_quotes(name)));
    }
  }
  save_output(o.out, tensors);
}

}  // namespace

void add_pack(CLI::App& app) {
  CLI::App* command = app.add_subcommand("pack", "Put tensors from files into one, under names");
  const auto o = std::make_shared<Options>();
  command->add_option("NAME=FILE", o->parts, "A name, and the address of the tensor for it")
      ->type_name("PART")
      ->check(check_part, "")
      ->required();
  add_reading_options(*command, o->read);
  add_writing_options(*command, o->out, "Write them there");
  command->get_option("--out")->required();
  command->add_flag("--quiet", o->read.quiet, "No notes")->group("Output");
  set_example(*command,
              "printf '1,0\\n0,1\\n' > w.csv\n"
              "heed pack W_q.weight=w.csv W_k.weight=w.csv --out params.npz");
  command->callback([o] { run(*o); });
}
