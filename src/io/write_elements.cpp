// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dtype_dispatch.h"
#include "core/strided.h"
#include "core/tensor_impl.h"
#include "io/bytes.h"
#include "io/elements.h"

#include <array>
#include <type_traits>

namespace heed::io {
namespace {

constexpr std::size_t kElementsAtOnce = 4096;  // elements

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint8_t>>;

template <class T>
BitsOf<T> little_bits(T x) noexcept {
  const auto bits = std::bit_cast<BitsOf<T>>(x);
  return std::endian::native == std::endian::little ? bits : byte_swapped(bits);
}

}  // namespace

void write_elements(Sink& sink, const Tensor& x) {
  visit_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* data = x.data<T>();
    std::array<BitsOf<T>, kElementsAtOnce> chunk;
    std::size_t used = 0;
    const auto flush = [&] {
      sink.write(std::as_bytes(std::span(chunk).first(used)));
      used = 0;
    };
    for_each_offset(x.shape(), x.strides(), [&](std::int64_t offset) {
      chunk[used++] = little_bits(data[offset]);
      if (used == chunk.size()) flush();
    });
    flush();
  });
}

}  // namespace heed::io
