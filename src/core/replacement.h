// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A file that replaces another in one step. Whatever happens before commit(), the old file stays as it was.
#pragma once

#include "core/output_file.h"

#include <string>

namespace heed {

/// What writing to `path` replaces or makes: links are followed, also one to a file that is not there yet.
std::string file_behind_links(const std::string& path);

class Replacement final : public OutputFile {
 public:
  /// Opens a temporary file in the folder of `path`.
  explicit Replacement(const std::string& path);
  /// Without a commit(): removes the temporary file.
  ~Replacement() override;

  /// Makes the bytes safe on disk, then renames the file to its path.
  void commit() override;

 private:
  void open_temporary();
  void keep_mode_of_old_file() const;

  std::string target_;  ///< the path, links followed
  std::string temporary_;
};

}  // namespace heed
