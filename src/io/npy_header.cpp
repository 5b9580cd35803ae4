// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/npy_header.h"

#include "io/bytes.h"
#include "io/npy_dictionary.h"

#include <array>
#include <utility>

namespace heed::io {
namespace {

constexpr std::uint64_t kLongestHeader = 1U << 16U;
/// numpy lets data start at a multiple of this.
constexpr std::size_t kAlignment = 64;

constexpr std::pair<std::string_view, FileType> kTypes[] = {
    {"b1", FileType::kBool}, {"?", FileType::kBool}, {"i1", FileType::kI8},  {"u1", FileType::kU8},
    {"i2", FileType::kI16},  {"u2", FileType::kU16}, {"i4", FileType::kI32}, {"u4", FileType::kU32},
    {"i8", FileType::kI64},  {"u8", FileType::kU64}, {"f2", FileType::kF16}, {"f4", FileType::kF32},
    {"f8", FileType::kF64},
};

const char* why_not(std::string_view type) {
  switch (type.empty() ? ' ' : type.front()) {
    case 'O': return "objects of Python are not read";
    case 'c': return "complex numbers are not read";
    case 'S':
    case 'a':
    case 'U': return "text is not read";
    case 'V': return "raw memory is not read (bfloat16 can be saved as .safetensors)";
    case 'M':
    case 'm': return "dates and times are not read";
    default: return "expected booleans, integers of 1 to 8 bytes or floating numbers of 2 to 8";
  }
}

/// '<f8': byte order, kind, bytes.
void parse_descr(std::string_view descr, const Place& place, Layout& layout) {
  const char order = descr.empty() ? ' ' : descr.front();
  const bool has_order = order == '<' || order == '>' || order == '|';
  const std::string_view name = has_order ? descr.substr(1) : descr;
  for (const auto& [text, type] : kTypes) {
    if (name != text) continue;
    check_at(size_of(type) == 1 || order == '<' || order == '>', place, "descr",
             "expected a byte order, '<' or '>', found {}", in_quotes(descr));
    layout.type = type;
    layout.order = order == '>' ? std::endian::big : std::endian::little;
    return;
  }
  check_at(false, place, "descr", "{}: {}", in_quotes(descr), why_not(name));
}

/// Magic, version and length; returns the length of the dictionary.
std::uint64_t read_preamble(Reader& reader) {
  std::array<std::byte, 8> start;
  reader.read(start, "magic");
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  check_at(text.starts_with(kNpyMagic), {reader.name(), 0}, "magic", "expected {}, found {}",
           in_quotes(kNpyMagic), in_quotes(text.substr(0, kNpyMagic.size())));
  const auto major = static_cast<unsigned>(start[6]);
  const auto minor = static_cast<unsigned>(start[7]);
  check_at(major >= 1 && major <= 3 && minor == 0, {reader.name(), 6}, "version",
           "expected 1.0, 2.0 or 3.0, found {}.{}", major, minor);
  std::array<std::byte, 4> length;
  if (major == 1) {
    reader.read(std::span(length).first<2>(), "header length");
    return from_bytes<std::uint16_t>(length.data());
  }
  reader.read(length, "header length");
  return from_bytes<std::uint32_t>(length.data());
}

}  // namespace

Layout read_npy_header(Reader& reader) {
  const std::uint64_t length = read_preamble(reader);
  check_at(length <= kLongestHeader, {reader.name(), 8}, "header length", "expected at most {}, found {}",
           kLongestHeader, length);
  check_at(length <= reader.remaining(), reader.here(), "header", "expected {} more bytes, found {}", length,
           reader.remaining());
  const Place start = reader.here();
  std::string text(static_cast<std::size_t>(length), ' ');
  reader.read(std::as_writable_bytes(std::span(text)), "header");
  const NpyDictionary dictionary = parse_npy_dictionary(text, start);
  Layout layout;
  parse_descr(dictionary.descr, dictionary.descr_place, layout);
  layout.fortran = dictionary.fortran_order;
  layout = with_shape(layout, dictionary.shape, dictionary.shape_place);
  check_at(layout.bytes == reader.remaining(), reader.here(), "data", "shape {} needs {} bytes, found {}",
           layout.shape, layout.bytes, reader.remaining());
  return layout;
}

std::string npy_header(const Tensor& x) {
  const char* descr = x.dtype() == f32 ? "<f4" : x.dtype() == f64 ? "<f8" : x.dtype() == i64 ? "<i8" : "|b1";
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, x.shape());
  const std::size_t before = kNpyMagic.size() + 4;
  const std::size_t whole = (before + dictionary.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  dictionary.resize(whole - before - 1, ' ');
  dictionary += '\n';
  std::string header(kNpyMagic);
  header += {'\x01', '\x00'};
  append_little(header, static_cast<std::uint16_t>(dictionary.size()));
  return header + dictionary;
}

}  // namespace heed::io
