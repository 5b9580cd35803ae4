// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/replacement.h"

#include "core/check.h"
#include "core/quote.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

namespace heed {
namespace {

/// Of a temporary file for `name`: where the longest name a folder takes is wanted, it must not be longer.
std::string temporary_name(const std::string& name, unsigned random) {
  constexpr std::size_t kAdded = 14, kLong = 100;
  std::size_t kept = name.size() > kLong ? name.size() - kAdded : name.size();
  // Not in the middle of a character.
  while (kept < name.size() && (static_cast<unsigned char>(name[kept]) & 0xC0U) == 0x80U) --kept;
  return fmt::format(".{}.{:08x}.tmp", name.substr(0, kept), random);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

std::string file_behind_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  std::filesystem::path target = path;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(target, no_link);
    if (no_link) return target.string();
    target = target.parent_path() / next;
  }
  fail("save", fmt::format("{}: {}", printable(path), std::strerror(ELOOP)));
}

Replacement::Replacement(const std::string& path)
    : OutputFile(printable(path)), target_(file_behind_links(path)) {
  check(path.find('\0') == std::string::npos, "save", "{}: a path cannot hold a zero byte", name_);
  struct stat old = {};
  // Renaming over a device or a pipe would put a file in its place.
  if (::stat(target_.c_str(), &old) == 0 && !S_ISREG(old.st_mode)) {
    fail("save", fmt::format("{}: is {}, expected a file or nothing", name_,
                             S_ISDIR(old.st_mode) ? "a directory" : "not a regular file"));
  }
  open_temporary();
  keep_mode_of_old_file();
}

Replacement::~Replacement() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Replacement::open_temporary() {
  const std::filesystem::path target(target_);
  std::random_device random;
  do {
    // mkstemp() would make a file that nobody else may read.
    temporary_ = (target.parent_path() / temporary_name(target.filename().string(), random())).string();
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file_ < 0 && errno == EEXIST);
  if (file_ < 0) {
    temporary_.clear();
    fail_to("create a temporary file beside it");
  }
}

void Replacement::keep_mode_of_old_file() const {
  struct stat old = {};
  // On a file system without modes there is nothing to keep.
  if (::stat(target_.c_str(), &old) == 0) (void)::fchmod(file_, old.st_mode & 07777U);
}

void Replacement::commit() {
  if (::fsync(file_) != 0) fail_to("write");
  close();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_to("rename the temporary file to it");
  temporary_.clear();
  // The new name is on disk once its folder is. Some file systems cannot sync a folder; they look after themselves.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  (void)::fsync(folder);
  ::close(folder);
}

}  // namespace heed
