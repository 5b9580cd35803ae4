// A file that replaces another in one step. Whatever happens before commit(), the old file stays as it was.
#pragma once

#include "core/sink.h"

#include <cstdint>
#include <string>

namespace heed {

class Replacement final : public Sink {
 public:
  /// Opens a temporary file in the folder of `path`.
  explicit Replacement(const std::string& path);
  /// Without a commit(): removes the temporary file.
  ~Replacement() override;
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void write(std::span<const std::byte> bytes) override;
  /// Writes over bytes written before.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  std::uint64_t position() const noexcept { return position_; }

  /// Makes the bytes safe on disk, then renames the file to its path.
  void commit();

 private:
  [[noreturn]] void fail_to(const char* what) const;
  void open_temporary();
  void keep_mode_of_old_file() const;
  void close();

  std::string name_;    ///< of the path, for messages
  std::string target_;  ///< the path, links followed
  std::string temporary_;
  int file_ = -1;
  std::uint64_t position_ = 0;
};

}  // namespace heed
