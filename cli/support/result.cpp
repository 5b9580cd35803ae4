// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "result.h"

#include "files.h"
#include "json.h"
#include "output.h"

#include <unistd.h>

#include <cstdint>
#include <vector>

namespace {

/// Shape, dtype and numbers.
void print_json(const heed::Tensor& x) {
  const nlohmann::ordered_json text = {
      {"shape", std::vector<std::int64_t>(x.shape().begin(), x.shape().end())},
      {"dtype", heed::name(x.dtype())},
      {"output", json_of(x)}};
  print(text.dump() + "\n");
}

}  // namespace

Reader reader_of_output() { return ::isatty(STDOUT_FILENO) == 1 ? Reader::kPerson : Reader::kProgram; }

void give(const ResultFlags& flags, const heed::Tensor& x, Reader reader) {
  if (flags.out.wanted()) save_output(flags.out, x);
  if (flags.json) return print_json(x);
  if (flags.out.wanted()) return;
  if (reader == Reader::kPerson) return print(to_string(x) + "\n");
  save_output({.path = "-"}, x);
}
