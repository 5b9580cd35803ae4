// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "machine.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

std::string small_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return file ? text.str() : "";
}

std::size_t usable_memory() {
  std::size_t bytes =
      static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::string text = small_file("/sys/fs/cgroup/memory.max");
  std::size_t allowed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), allowed);
  return error == std::errc{} ? std::min(bytes, allowed) : bytes;
}

std::string first_line_of(const std::string& command) {
  const auto close = [](std::FILE* pipe) { ::pclose(pipe); };
  const std::unique_ptr<std::FILE, decltype(close)> pipe(::popen((command + " 2>&1").c_str(), "r"), close);
  std::array<char, 512> line = {};
  if (!pipe || !std::fgets(line.data(), static_cast<int>(line.size()), pipe.get())) return "";
  std::string text = line.data();
  text.erase(text.find_last_not_of("\n\r ") + 1);
  return text;
}
