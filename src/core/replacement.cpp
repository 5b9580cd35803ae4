#include "core/replacement.h"

#include "core/check.h"
#include "core/parallel.h"
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

/// The file behind a link, so that saving keeps the link; `path` itself if there is no file yet.
std::string behind_links(const std::string& path) {
  std::error_code missing;
  const std::filesystem::path target = std::filesystem::canonical(path, missing);
  return missing ? path : target.string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Replacement::Replacement(const std::string& path) : name_(printable(path)), target_(behind_links(path)) {
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
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Replacement::fail_to(const char* what) const {
  fail("save", fmt::format("{}: cannot {}: {}", name_, what, std::strerror(errno)));
}

void Replacement::open_temporary() {
  const std::filesystem::path target(target_);
  std::random_device random;
  do {
    // mkstemp() would make a file that nobody else may read.
    temporary_ =
        (target.parent_path() / fmt::format(".{}.{:08x}.tmp", target.filename().string(), random())).string();
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

void Replacement::write(std::span<const std::byte> bytes) {
  poll_interrupt();
  write_at(position_, bytes);
  position_ += bytes.size();
}

void Replacement::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to("write");
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void Replacement::close() {
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0 && errno != EINTR) fail_to("write");
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
