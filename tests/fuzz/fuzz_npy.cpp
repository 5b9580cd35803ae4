// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/fuzz.h"
#include "io/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed;
  return fuzz::run(data, size, [](const io::Source& source) {
    const Tensor x = io::read_npy(source);
    fuzz::Memory memory;
    io::write_npy(memory, x);
    const auto again = io::memory_source("again", memory.bytes());
    fuzz::expect_same(x, io::read_npy(*again));
  });
}
