// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// .safetensors: a header, then the bytes of all tensors, little endian, in row-major order and without gaps.
#include "io/safetensors.h"

#include "io/bytes.h"
#include "io/collection.h"
#include "io/elements.h"
#include "io/reader.h"
#include "io/safetensors_header.h"

#include <algorithm>
#include <array>

namespace heed::io {
namespace {

constexpr std::uint64_t kLongestJson = 100'000'000;  // that of the reference implementation
constexpr std::uint64_t kLengthSize = 8;

/// Offsets cover the data from its start to its end, each byte once.
void check_offsets(const std::vector<SafetensorsEntry>& entries, const Source& source, std::uint64_t data) {
  std::vector<const SafetensorsEntry*> by_place;
  by_place.reserve(entries.size());
  for (const SafetensorsEntry& entry : entries) by_place.push_back(&entry);
  std::ranges::sort(by_place, {},
                    [](const SafetensorsEntry* entry) { return std::pair(entry->begin, entry->end); });
  std::uint64_t expected = 0;
  for (const SafetensorsEntry* entry : by_place) {
    check_at(entry->begin == expected, {source.name(), entry->header_byte}, "data_offsets",
             "{} starts at {}, expected {}: no gaps, no overlaps", in_quotes(entry->name), entry->begin,
             expected);
    expected = entry->end;
  }
  check_at(expected == source.size() - data, {source.name(), data}, "data", "expected {} bytes, found {}",
           expected, source.size() - data);
}

class Safetensors final : public Collection {
 public:
  explicit Safetensors(const Source& source) : source_(source) {
    std::array<std::byte, kLengthSize> length_bytes;
    RangeReader reader(source);
    reader.read(length_bytes, "header length");
    const auto length = from_bytes<std::uint64_t>(length_bytes.data());
    check_at(length <= kLongestJson, {source.name(), 0}, "header length", "expected at most {}, found {}",
             kLongestJson, length);
    check_at(length <= reader.remaining(), reader.here(), "header", "expected {} more bytes, found {}",
             length, reader.remaining());
    std::string text(static_cast<std::size_t>(length), ' ');
    const Place start = reader.here();
    reader.read(std::as_writable_bytes(std::span(text)), "header");
    entries_ = parse_safetensors_header(text, start);
    data_ = reader.position();
    check_offsets(entries_, source, data_);
    for (const SafetensorsEntry& entry : entries_) names_.push_back(entry.name);
  }

  void check_tensor(std::size_t) const override {}  // the constructor has checked them all

  Tensor read(std::size_t index) const override {
    const SafetensorsEntry& entry = entries_[index];
    RangeReader reader(source_, source_.name() + ":" + printable(entry.name), data_ + entry.begin,
                       entry.layout.bytes);
    return read_elements(reader, entry.layout);
  }

 private:
  const Source& source_;
  std::vector<SafetensorsEntry> entries_;
  std::uint64_t data_ = 0;
};

FileType file_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF32: return FileType::kF32;
    case Dtype::kF64: return FileType::kF64;
    case Dtype::kI64: return FileType::kI64;
    case Dtype::kBool: return FileType::kBool;
  }
  return FileType::kF32;
}

}  // namespace

std::unique_ptr<Collection> open_safetensors(const Source& source) {
  return std::make_unique<Safetensors>(source);
}

void write_safetensors(Sink& sink, const std::map<std::string, Tensor>& tensors) {
  // The widest elements first: then all are aligned.
  std::vector<std::pair<std::string, Tensor>> ordered(tensors.begin(), tensors.end());
  std::ranges::stable_sort(ordered, std::ranges::greater{},
                           [](const auto& named) { return heed::size_of(named.second.dtype()); });
  std::vector<SafetensorsEntry> entries;
  std::uint64_t end = 0;
  for (const auto& [name, x] : ordered) {
    SafetensorsEntry entry{
        .name = name, .layout = {.type = file_type(x.dtype()), .shape = x.shape()}, .begin = end};
    end += static_cast<std::uint64_t>(x.numel()) * heed::size_of(x.dtype());
    entry.end = end;
    entries.push_back(entry);
  }
  sink.write(as_bytes(safetensors_header(entries)));
  for (const auto& [name, x] : ordered) write_elements(sink, x);
}

}  // namespace heed::io
