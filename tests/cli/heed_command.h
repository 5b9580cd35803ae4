// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Runs the heed command as a user would.
#pragma once

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace heed::test {

struct Result {
  int code = -1;
  std::string out, err;
};

inline std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A file for the running test.
inline std::string scratch_file(const std::string& extension) {
  // Tests run side by side, and some share the last part of their names.
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  return testing::TempDir() + "heed_" + test->test_suite_name() + "_" + test->name() + extension;
}

/// Runs the command in a shell; `arguments` may redirect, `environment` sets variables.
inline Result heed_command(const std::string& arguments, const std::string& environment = "") {
  const std::string out = scratch_file(".out"), err = scratch_file(".err");
  const std::string line = environment + " '" HEED_COMMAND "' >'" + out + "' 2>'" + err + "' " + arguments;
  const int status = std::system(line.c_str());  // NOLINT(cert-env33-c): a test of a command
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline int lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

/// Wrong usage: code 2, nothing on standard output, one line that says what is wrong.
inline void expect_wrong_usage(const std::string& arguments, const std::string& part) {
  const Result r = heed_command(arguments);
  EXPECT_EQ(r.code, 2) << arguments;
  EXPECT_EQ(r.out, "") << arguments;
  EXPECT_EQ(r.err.rfind("heed: ", 0), 0u) << r.err;
  EXPECT_EQ(lines(r.err), 1) << r.err;
  EXPECT_TRUE(has(r.err, part)) << r.err;
}

}  // namespace heed::test
