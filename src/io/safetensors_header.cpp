// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/safetensors_header.h"

#include "io/bytes.h"
#include "io/json_position.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace heed::io {
namespace {

using Json = nlohmann::json;

constexpr const char* kMetadata = "__metadata__";

constexpr std::pair<std::string_view, FileType> kTypeNames[] = {
    {"BOOL", FileType::kBool}, {"I8", FileType::kI8},   {"U8", FileType::kU8},     {"I16", FileType::kI16},
    {"U16", FileType::kU16},   {"I32", FileType::kI32}, {"U32", FileType::kU32},   {"I64", FileType::kI64},
    {"U64", FileType::kU64},   {"F16", FileType::kF16}, {"BF16", FileType::kBf16}, {"F32", FileType::kF32},
    {"F64", FileType::kF64},
};

/// Follows the JSON as it is parsed. The header has one shape only, so each event is right in one place.
class HeaderEvents final : public nlohmann::json_sax<Json> {
 public:
  HeaderEvents(std::string_view text, const Place& place)
      : text_(text), place_(place), reached_(text.data()) {}

  std::vector<SafetensorsEntry> parse() {
    const JsonCharacter begin(text_.data(), &reached_);
    const JsonCharacter end(text_.data() + text_.size(), &reached_);
    nlohmann::json_sax<Json>* events = this;
    Json::sax_parse(begin, end, events);
    return std::move(entries_);
  }

 private:
  enum class Level { kStart, kTensors, kComments, kFields, kNumbers, kDone };

  Place here() const {
    return {place_.file, place_.byte + static_cast<std::uint64_t>(reached_ - text_.data())};
  }
  std::string field() const {
    std::string path = "header";
    if (level_ == Level::kFields || level_ == Level::kNumbers) path += ": " + in_quotes(entries_.back().name);
    if (!field_.empty()) path += ": " + printable(field_);
    return path;
  }
  template <class... Args>
  void expect(bool holds, fmt::format_string<Args...> format, Args&&... args) const {
    if (!holds) check_at(false, here(), field(), format, std::forward<Args>(args)...);
  }
  bool unexpected(const char* what) const {
    expect(false, "{} is not expected here", what);
    return false;
  }

  bool start_object(std::size_t) override {
    if (level_ == Level::kStart) {
      level_ = Level::kTensors;
    } else if (level_ == Level::kTensors) {
      level_ = in_metadata_ ? Level::kComments : Level::kFields;
      seen_fields_.clear();
      field_.clear();
    } else {
      return unexpected("an object");
    }
    return true;
  }

  bool key(std::string& name) override {
    if (level_ == Level::kTensors) {
      expect(seen_names_.insert(name).second, "the name {} appears twice", in_quotes(name));
      in_metadata_ = name == kMetadata;
      if (!in_metadata_) entries_.push_back({.name = name, .header_byte = here().byte, .layout = {}});
    } else if (level_ == Level::kComments) {
      expect(seen_fields_.insert(name).second, "{}: the key {} appears twice", kMetadata, in_quotes(name));
    } else {
      expect(name == "dtype" || name == "shape" || name == "data_offsets",
             "expected dtype, shape and data_offsets, found {}", in_quotes(name));
      expect(seen_fields_.insert(name).second, "{} appears twice", name);
    }
    if (level_ == Level::kFields) field_ = name;
    return true;
  }

  bool string(std::string& text) override {
    if (level_ == Level::kComments) return true;
    if (level_ != Level::kFields || field_ != "dtype") return unexpected("a string");
    for (const auto& [name, type] : kTypeNames) {
      if (name != text) continue;
      entries_.back().layout.type = type;
      return true;
    }
    expect(false, "{} is not read; expected BOOL, I8 to I64, U8 to U64, F16, BF16, F32 or F64",
           in_quotes(text));
    return false;
  }

  bool start_array(std::size_t) override {
    if (level_ != Level::kFields || (field_ != "shape" && field_ != "data_offsets"))
      return unexpected("a list");
    level_ = Level::kNumbers;
    numbers_.clear();
    return true;
  }

  bool number_unsigned(std::uint64_t value) override {
    if (level_ != Level::kNumbers) return unexpected("a number");
    const std::size_t most = field_ == "shape" ? static_cast<std::size_t>(kMaxRank) : 2;
    expect(numbers_.size() < most, "expected at most {} numbers", most);
    numbers_.push_back(value);
    return true;
  }

  bool end_array() override {
    level_ = Level::kFields;
    if (field_ == "shape") {
      shape_ = numbers_;
    } else {
      expect(numbers_.size() == 2, "expected 2 numbers, found {}", numbers_.size());
      entries_.back().begin = numbers_[0];
      entries_.back().end = numbers_[1];
    }
    return true;
  }

  bool end_object() override {
    if (level_ == Level::kFields) finish_tensor();
    level_ = level_ == Level::kTensors ? Level::kDone : Level::kTensors;
    field_.clear();
    return true;
  }

  void finish_tensor() {
    field_.clear();
    SafetensorsEntry& entry = entries_.back();
    expect(seen_fields_.size() == 3, "expected dtype, shape and data_offsets");
    entry.layout = with_shape(entry.layout, shape_, here());
    expect(entry.begin <= entry.end, "data_offsets: {} lies after {}", entry.begin, entry.end);
    expect(entry.end - entry.begin == entry.layout.bytes, "data_offsets: shape {} needs {} bytes, found {}",
           entry.layout.shape, entry.layout.bytes, entry.end - entry.begin);
  }

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a boolean"); }
  bool number_integer(std::int64_t) override { return unexpected("a negative number"); }
  bool number_float(double, const std::string&) override {
    return unexpected("a number that is no integer below 2^64");
  }
  bool binary(Json::binary_t&) override { return unexpected("binary data"); }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception&) override {
    constexpr std::size_t kShown = 20;
    expect(false, "not JSON, near {}",
           in_quotes(std::string_view(token).substr(token.size() - std::min(token.size(), kShown))));
    return false;
  }

  std::string_view text_;
  Place place_;
  const char* reached_;
  Level level_ = Level::kStart;
  bool in_metadata_ = false;
  std::string field_;
  std::set<std::string> seen_names_;
  std::set<std::string> seen_fields_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint64_t> shape_;
  std::vector<SafetensorsEntry> entries_;
};

std::string_view name_of(FileType type) {
  for (const auto& [name, known] : kTypeNames) {
    if (known == type) return name;
  }
  return "";
}

}  // namespace

std::vector<SafetensorsEntry> parse_safetensors_header(std::string_view text, const Place& place) {
  // The parser would skip a byte order mark or spaces, which the format forbids.
  check_at(text.starts_with('{'), place, "header", "expected '{{', found {}", in_quotes(text.substr(0, 1)));
  return HeaderEvents(text, place).parse();
}

std::string safetensors_header(const std::vector<SafetensorsEntry>& entries) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  for (const SafetensorsEntry& entry : entries) {
    check(entry.name != kMetadata, "save", "a tensor cannot have the name {}", kMetadata);
    header[entry.name] = {{"dtype", name_of(entry.layout.type)},
                          {"shape", std::vector(entry.layout.shape.begin(), entry.layout.shape.end())},
                          {"data_offsets", {entry.begin, entry.end}}};
  }
  std::string json;
  try {
    json = header.dump();
  } catch (const Json::type_error&) {
    fail("save", "a name is not valid UTF-8");
  }
  json.resize((json.size() + 7) / 8 * 8, ' ');
  std::string text;
  append_little(text, static_cast<std::uint64_t>(json.size()));
  return text + json;
}

}  // namespace heed::io
