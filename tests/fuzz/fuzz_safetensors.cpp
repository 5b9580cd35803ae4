// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/fuzz.h"
#include "io/collection.h"
#include "io/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed;
  return fuzz::run(data, size, [](const io::Source& source) {
    const auto tensors = io::open_safetensors(source);
    std::map<std::string, Tensor> read;
    for (std::size_t i = 0; i < tensors->names().size(); ++i)
      read.emplace(tensors->names()[i], tensors->read(i));
    fuzz::Memory memory;
    io::write_safetensors(memory, read);
    const auto written = io::memory_source("again", memory.bytes());
    const auto again = io::open_safetensors(*written);
    if (again->names().size() != read.size()) std::abort();
    for (std::size_t i = 0; i < again->names().size(); ++i) {
      fuzz::expect_same(read.at(again->names()[i]), again->read(i));
    }
  });
}
