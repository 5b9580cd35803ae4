// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/hostile.h"

#include "support/errors.h"
#include "support/files.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {

void expect_refused(const std::string& name, const std::vector<BadFile>& files) {
  const Folder folder;
  for (const BadFile& bad : files) {
    const std::string path = folder.file(name, bad.bytes);
    reset_peak_memory();
    const std::size_t before = memory_use().current;
    expect_error([&] { load(path); }, path);
    expect_error([&] { load(path); }, bad.message);
    EXPECT_LE(memory_use().peak, before + 4096) << bad.message;
    EXPECT_EQ(memory_use().current, before) << bad.message;
  }
}

}  // namespace heed::test
