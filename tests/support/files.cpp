// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace heed::test {

Folder::Folder() : path_(testing::TempDir() + "heed_io_XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder at " + path_);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::file(std::string_view name, std::string_view bytes) const {
  std::ofstream out(*this / name, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return *this / name;
}

int Folder::count() const {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {}));
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string little(std::uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += i < 8 ? static_cast<char>(value >> (8 * i) & 0xFFU) : char{0};
  return bytes;
}

std::string npy(std::string_view dictionary, std::string_view data) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += little(dictionary.size() + 1, 2);
  bytes += dictionary;
  bytes += '\n';
  return bytes.append(data);
}

std::string npy(std::string_view descr, bool fortran, std::string_view shape, std::string_view data) {
  return npy("{'descr': '" + std::string(descr) + "', 'fortran_order': " + (fortran ? "True" : "False") +
                 ", 'shape': " + std::string(shape) + ", }",
             data);
}

std::string safetensors(std::string_view json, std::string_view data) {
  return little(json.size(), 8).append(json).append(data);
}

}  // namespace heed::test
