// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dtype_dispatch.h"
#include "core/strided.h"
#include "core/tensor_impl.h"
#include "io/bytes.h"
#include "io/elements.h"
#include "io/half.h"

#include <array>
#include <limits>
#include <type_traits>

namespace heed::io {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16U;

/// What a file holds, as an unsigned integer of the same size, and how to make an element of it.
struct Boolean {
  using Bits = std::uint8_t;
  static bool value(Bits bits) noexcept { return bits == 1; }
  static bool fits(Bits bits) noexcept { return bits <= 1; }
};
template <class T>
struct Integer {
  using Bits = std::make_unsigned_t<T>;
  static std::int64_t value(Bits bits) noexcept { return static_cast<std::int64_t>(static_cast<T>(bits)); }
  static bool fits(Bits bits) noexcept {
    return !std::is_same_v<T, std::uint64_t> ||
           std::uint64_t{bits} <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  }
};
struct Anything {
  static bool fits(std::uint64_t) noexcept { return true; }
};
struct Half : Anything {
  using Bits = std::uint16_t;
  static float value(Bits bits) noexcept { return from_f16(bits); }
};
struct BrainHalf : Anything {
  using Bits = std::uint16_t;
  static float value(Bits bits) noexcept { return from_bf16(bits); }
};
struct Single : Anything {
  using Bits = std::uint32_t;
  static float value(Bits bits) noexcept { return std::bit_cast<float>(bits); }
};
struct Double : Anything {
  using Bits = std::uint64_t;
  static double value(Bits bits) noexcept { return std::bit_cast<double>(bits); }
};

template <class F>
void visit_file_type(FileType type, const F& f) {
  switch (type) {
    case FileType::kBool: return f(Boolean{});
    case FileType::kI8: return f(Integer<std::int8_t>{});
    case FileType::kU8: return f(Integer<std::uint8_t>{});
    case FileType::kI16: return f(Integer<std::int16_t>{});
    case FileType::kU16: return f(Integer<std::uint16_t>{});
    case FileType::kI32: return f(Integer<std::int32_t>{});
    case FileType::kU32: return f(Integer<std::uint32_t>{});
    case FileType::kI64: return f(Integer<std::int64_t>{});
    case FileType::kU64: return f(Integer<std::uint64_t>{});
    case FileType::kF16: return f(Half{});
    case FileType::kBf16: return f(BrainHalf{});
    case FileType::kF32: return f(Single{});
    case FileType::kF64: return f(Double{});
  }
}

/// Hands out the elements of a reader one by one.
template <class Type>
class Elements {
 public:
  using Bits = typename Type::Bits;
  Elements(Reader& reader, const Layout& layout)
      : reader_(reader), order_(layout.order), left_(layout.bytes) {}

  auto next() {
    if (used_ == filled_) refill();
    const auto bits = from_bytes<Bits>(chunk_.data() + used_, order_);
    check_at(Type::fits(bits), {reader_.name(), reader_.position() - filled_ + used_}, "data",
             std::is_same_v<Type, Boolean>
                 ? "element {} in file order: a boolean must be 0 or 1, found {}"
                 : "element {} in file order: expected a number below 2^63, found {}",
             count_, bits);
    used_ += sizeof(Bits);
    ++count_;
    return Type::value(bits);
  }

 private:
  void refill() {
    filled_ = static_cast<std::size_t>(std::min<std::uint64_t>(left_, kChunk));
    reader_.read(std::span(chunk_).first(filled_), "data");
    left_ -= filled_;
    used_ = 0;
  }

  Reader& reader_;
  std::endian order_;
  std::uint64_t left_;
  std::uint64_t count_ = 0;
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
  std::array<std::byte, kChunk> chunk_;
};

Shape reversed(const Shape& shape) {
  Shape backwards = shape;
  std::reverse_copy(shape.begin(), shape.end(), &backwards[0]);
  return backwards;
}

/// Elements that lie in the file as they will in memory.
bool is_plain(const Layout& layout) {
  const bool same_type =
      layout.type == FileType::kF32 || layout.type == FileType::kF64 || layout.type == FileType::kI64;
  return same_type && layout.order == std::endian::native && !layout.fortran;
}

}  // namespace

Tensor read_elements(Reader& reader, const Layout& layout) {
  const Tensor x = empty(layout.shape, dtype_of(layout.type));
  if (x.numel() == 0) return x;
  auto* memory = static_cast<std::byte*>(detail::raw_mutable(x));
  if (is_plain(layout)) {
    reader.read({memory, static_cast<std::size_t>(layout.bytes)}, "data");
    return x;
  }
  visit_file_type(layout.type, [&](auto type) {
    Elements<decltype(type)> elements(reader, layout);
    auto* data = reinterpret_cast<decltype(elements.next())*>(memory);
    const auto store = [&](std::int64_t offset) { data[offset] = elements.next(); };
    // Read backwards, the indices of a Fortran array run as those of a C array do.
    if (layout.fortran) return for_each_offset(reversed(x.shape()), reversed(x.strides()), store);
    for (std::int64_t i = 0; i < x.numel(); ++i) store(i);
  });
  return x;
}

}  // namespace heed::io
