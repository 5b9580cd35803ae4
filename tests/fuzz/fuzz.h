// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the fuzz targets share. A reader must return tensors or throw heed::Error, whatever the bytes; what it returns
// must survive being written and read again.
#pragma once

#include "core/sink.h"
#include "io/source.h"

#include <heed/error.h>
#include <heed/runtime.h>
#include <heed/tensor.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

namespace heed::fuzz {

/// A sink that keeps what is written.
class Memory final : public Sink {
 public:
  void write(std::span<const std::byte> bytes) override {
    text_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(text_)); }

 private:
  std::string text_;
};

/// Same type, shape and values; one NaN is as good as another.
inline void expect_same(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) std::abort();
  const auto left = a.to_vector<double>();
  const auto right = b.to_vector<double>();
  for (std::size_t i = 0; i < left.size(); ++i) {
    const bool same = left[i] == right[i] || (left[i] != left[i] && right[i] != right[i]);
    if (!same) std::abort();
  }
}

/// Runs `read` on a source of these bytes, in little memory.
template <class Read>
int run(const std::uint8_t* data, std::size_t size, const Read& read) {
  set_memory_limit(std::size_t{64} << 20U);
  const auto source = io::memory_source("input", std::as_bytes(std::span(data, size)));
  try {
    read(*source);
  } catch (const Error&) {
    // The right answer to a bad file.
  }
  return 0;
}

}  // namespace heed::fuzz
