// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tables of bad files, each with a part of the message it must get.
#pragma once

#include <string>
#include <vector>

namespace heed::test {

struct BadFile {
  std::string bytes;
  std::string message;
};

/// Loading each of them, under a name that ends in the format's suffix, is an Error with the file's path and the
/// message in it, and takes next to no memory for tensors.
void expect_refused(const std::string& name, const std::vector<BadFile>& files);

}  // namespace heed::test
