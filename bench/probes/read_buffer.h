// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Memory for the probe of read bandwidth: so large that whatever is read has been pushed out of every cache since.
#pragma once

#include <cstddef>
#include <memory>

namespace heed::bench {

class ReadBuffer {
 public:
  /// The process's buffer, made on first use.
  static ReadBuffer& instance();

  struct Window {
    const std::byte* data = nullptr;
    std::size_t share = 0;  ///< bytes for each thread, one share behind the other; a multiple of 1024
  };
  /// The part to read next. Windows go round the buffer, so that one comes again only after all the others.
  Window next_window(int threads);

 private:
  ReadBuffer();

  struct Free {
    void operator()(void* memory) const noexcept;
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_;
  std::size_t position_ = 0;
};

}  // namespace heed::bench
