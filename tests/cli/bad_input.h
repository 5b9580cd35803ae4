// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Runs the command in a folder of small files, some of them bad, and looks at how it refuses.
#pragma once

#include "cli/heed_command.h"
#include "support/files.h"

#include <heed/heed.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heed::test {

class BadInput : public testing::Test {
 protected:
  BadInput() {
    folder.file("good.csv", "x,y\n1,10\n2,20\n3,25\n4,50\n");
    heed::save(folder / "q.npy", heed::ones({2, 3}));
    heed::save(folder / "k.npy", heed::ones({4, 3}));
    heed::save(folder / "v.npy", heed::ones({4, 5}));
  }

  /// In the folder, so that messages hold plain names; without stdin, and with little memory.
  Result run(const std::string& arguments) const { return shell("'" HEED_COMMAND "' " + arguments); }
  Result shell(const std::string& command) const {
    const std::string line = "cd '" + folder.path() + "' && (ulimit -v 4000000; " + command +
                             ") </dev/null >'" + folder.path() + ".out' 2>'" + folder.path() + ".err'";
    const int status = std::system(line.c_str());  // NOLINT(cert-env33-c): a test of a command
    const Result result{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder.path() + ".out"),
                        contents(folder.path() + ".err")};
    std::filesystem::remove(folder.path() + ".out");
    std::filesystem::remove(folder.path() + ".err");
    return result;
  }

  void expect_refused(const std::string& arguments, const std::vector<std::string>& parts) const {
    expect_refusal(run(arguments), arguments, parts);
  }
  static void expect_refusal(const Result& r, const std::string& arguments,
                             const std::vector<std::string>& parts) {
    EXPECT_EQ(r.code, 1) << arguments;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_EQ(r.err.rfind("heed: ", 0), 0u) << r.err;
    EXPECT_LE(lines(r.err), 2) << r.err;
    for (const std::string& part : parts) EXPECT_TRUE(has(r.err, part)) << r.err << "\n  lacks: " << part;
  }

  /// A wrong file in the place of each operand.
  void expect_refused_everywhere(const std::string& file, const std::string& message) const {
    expect_refused("attend --queries " + file + " --keys k.npy --values v.npy", {file, message});
    expect_refused("attend --queries q.npy --keys " + file + " --values v.npy", {file, message});
    expect_refused("attend --queries q.npy --keys k.npy --values " + file, {file, message});
    for (const char* option : {"--mask", "--bias", "--valid-lens"}) {
      expect_refused("attend --queries q.npy --keys k.npy --values v.npy " + std::string(option) + " " + file,
                     {file, message});
    }
    expect_refused("attend --queries q.npy --keys k.npy --values v.npy --score gaussian --bandwidth " + file,
                   {file, message});
    expect_refused("attend --queries q.npy --keys k.npy --values v.npy --score additive --params " + file,
                   {file});
    expect_refused("regress good.csv --x x --y y --at " + file, {file, message});
  }

  Folder folder;
};

}  // namespace heed::test
