// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

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

namespace {

std::string path_of(const WriteFlags& flags) { return flags.to_standard_output() ? "-" : flags.path; }

}  // namespace

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

void save_output(const WriteFlags& flags, const heed::Tensor& x) {
  const bool rows = flags.to_standard_output() && format_of(flags) == heed::FileFormat::kCsv;
  if (rows && x.numel() == 0) return;
  const std::int64_t width = x.rank() == 0 ? 1 : x.size(-1);
  const HoldSignals guard;
  heed::save(path_of(flags), rows ? x.reshape({x.numel() / width, width}) : x, save_options(flags));
}

void save_output(const WriteFlags& flags, const std::map<std::string, heed::Tensor>& tensors) {
  const HoldSignals guard;
  heed::save_all(path_of(flags), tensors, save_options(flags));
}

void save_output(const WriteFlags& flags, const heed::Table& table) {
  const HoldSignals guard;
  heed::save_table(path_of(flags), table, save_options(flags).separator);
}

void save_text(const std::string& path, std::string_view text) {
  const HoldSignals guard;
  heed::save_bytes(path, text);
}
