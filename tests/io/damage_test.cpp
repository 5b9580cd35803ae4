// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Small valid files, cut at every length and with every byte changed: an Error or a tensor, and never more memory than
// the file could fill.
#include "support/files.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

struct Sample {
  std::string name;
  std::string bytes;
};

std::vector<Sample> samples() {
  const Folder folder;
  const std::map<std::string, Tensor> tensors = {{"a", tensor({{1, 2}, {3, 4}})},
                                                 {"b", tensor({true, false})}};
  save(folder / "x.npy", tensors.at("a"));
  save_all(folder / "x.npz", tensors);
  save_all(folder / "deflated.npz", tensors, {.compress = true});
  save_all(folder / "x.safetensors", tensors);
  std::vector<Sample> found;
  for (const char* name : {"x.npy", "x.npz", "deflated.npz", "x.safetensors"}) {
    found.push_back({name, file_bytes(folder / name)});
  }
  return found;
}

/// Whether the file could be read.
bool loads(const std::string& path) {
  try {
    if (path.ends_with(".npy")) {
      load(path);
    } else {
      load_all(path);
    }
    return true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    return false;
  }
}

TEST(Damage, CutAtEveryLength) {
  const Folder folder;
  for (const Sample& sample : samples()) {
    ASSERT_TRUE(loads(folder.file(sample.name, sample.bytes)));
    for (std::size_t length = 0; length < sample.bytes.size(); ++length) {
      EXPECT_FALSE(loads(folder.file(sample.name, sample.bytes.substr(0, length))))
          << sample.name << " at " << length;
    }
    EXPECT_FALSE(loads(folder.file(sample.name, sample.bytes + '\0'))) << sample.name;
  }
}

TEST(Damage, EveryByteChanged) {
  const Folder folder;
  for (const Sample& sample : samples()) {
    int loaded = 0;
    for (std::size_t i = 0; i < sample.bytes.size(); ++i) {
      for (const int change : {0x01, 0x20, 0x80, 0xFF}) {
        std::string bytes = sample.bytes;
        bytes[i] = static_cast<char>(bytes[i] ^ change);
        reset_peak_memory();
        const std::size_t before = memory_use().current;
        loaded += loads(folder.file(sample.name, bytes)) ? 1 : 0;
        EXPECT_LE(memory_use().peak, before + 8 * sample.bytes.size()) << sample.name << " at " << i;
      }
    }
    // Data, names and dates may change; everything else is noticed.
    EXPECT_LT(loaded, static_cast<int>(2 * sample.bytes.size())) << sample.name;
  }
}

TEST(Damage, CsvCutAtEveryLengthIsReadOrRefused) {
  const Folder folder;
  const std::string text = "\xEF\xBB\xBF\"a \"\"b\"\"\",c\r\n\"1,5\",2\r\n3,\"4\n5\"\r\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string path = folder.file("x.csv", text.substr(0, length));
    try {
      EXPECT_LE(load_table(path).rows(), 2);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace heed::test
