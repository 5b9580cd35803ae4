#include "io/address.h"

#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>

namespace heed::io {
namespace {

constexpr std::pair<std::string_view, Format> kFormats[] = {{".npy", Format::kNpy},
                                                            {".npz", Format::kNpz},
                                                            {".safetensors", Format::kSafetensors},
                                                            {".csv", Format::kCsv}};

bool exists(const std::string& path) {
  std::error_code problem;
  return std::filesystem::exists(path, problem);
}

Address split(const std::string& text, std::size_t colon) {
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

std::optional<Format> format_of(const std::string& path) {
  std::string lower = path;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [suffix, format] : kFormats) {
    if (lower.ends_with(suffix)) return format;
  }
  return std::nullopt;
}

Address parse_address(const std::string& text) {
  if (text == "-") return {text, std::nullopt};
  if (text.starts_with("-:")) return split(text, 1);
  if (exists(text)) return {text, std::nullopt};
  for (std::size_t colon = text.rfind(':'); colon != std::string::npos && colon > 0;
       colon = text.rfind(':', colon - 1)) {
    if (exists(text.substr(0, colon))) return split(text, colon);
  }
  for (std::size_t colon = text.find(':'); colon != std::string::npos; colon = text.find(':', colon + 1)) {
    if (format_of(text.substr(0, colon))) return split(text, colon);
  }
  return {text, std::nullopt};
}

}  // namespace heed::io
