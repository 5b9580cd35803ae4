// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Files for tests: a folder that disappears again, whole files as strings, and the bytes of small valid files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed::test {

/// An empty folder of its own, removed at the end with everything in it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  const std::string& path() const { return path_; }
  /// Writes a file, and returns its path.
  std::string file(std::string_view name, std::string_view bytes) const;
  /// How many files lie in it.
  int count() const;

 private:
  std::string path_;
};

std::string file_bytes(const std::string& path);

/// The low `count` bytes of a number, the least significant first.
std::string little(std::uint64_t value, int count);

/// A .npy file of version 1 with this text in its header.
std::string npy(std::string_view dictionary, std::string_view data);
/// The same, of a usual header.
std::string npy(std::string_view descr, bool fortran, std::string_view shape, std::string_view data);

/// A .safetensors file with this JSON.
std::string safetensors(std::string_view json, std::string_view data);

}  // namespace heed::test
