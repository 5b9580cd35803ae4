#include "files.h"

#include "hold_signals.h"

#include <heed/error.h>
#include <heed/io.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

void check_output(const std::string& path, std::span<const std::string_view> suffixes) {
  if (path.empty()) return;
  const auto refuse = [&](const std::string& why) {
    throw heed::Error(fmt::format("cannot write {}: {}", path, why));
  };
  if (!suffixes.empty() &&
      std::ranges::none_of(suffixes, [&](std::string_view end) { return path.ends_with(end); })) {
    refuse(fmt::format("its name must end in one of {}", fmt::join(suffixes, ", ")));
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse("it is a directory");
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? std::string(1, '.') : parent.string();
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    refuse(fmt::format("{}: {}", folder, std::strerror(errno)));
  }
}

void save_output(const std::string& path, const heed::Tensor& x) {
  const HoldSignals guard;
  heed::save(path, x);
}

void save_output(const std::string& path, const std::map<std::string, heed::Tensor>& tensors) {
  const HoldSignals guard;
  heed::save_all(path, tensors);
}

void save_output(const std::string& path, const heed::Table& table) {
  const HoldSignals guard;
  heed::save_table(path, table);
}

void save_text(const std::string& path, std::string_view text) {
  const HoldSignals guard;
  heed::save_bytes(path, text);
}
