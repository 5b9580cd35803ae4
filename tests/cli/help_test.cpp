// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The help of every command: a sentence, groups of options, and an example that works when pasted.
#include "cli/heed_command.h"
#include "support/files.h"

#include <filesystem>
#include <vector>

namespace {

using namespace heed::test;

std::vector<std::string> lines_of(const std::string& text) {
  std::stringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// As the program's own help lists them.
std::vector<std::string> commands() {
  std::vector<std::string> names;
  bool listed = false;
  for (const std::string& line : lines_of(heed_command("--help").out)) {
    if (line.starts_with("Commands:")) {
      listed = true;
    } else if (line.empty()) {
      listed = false;
    } else if (listed && line.starts_with("  ") && line[2] != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

/// The lines below "Example:", as they would be pasted.
std::string example_of(const std::string& help) {
  std::string example;
  bool inside = false;
  for (const std::string& line : lines_of(help)) {
    if (inside && line.starts_with("  ")) example += line.substr(2) + "\n";
    inside = line == "Example:" || (inside && line.starts_with("  "));
  }
  return example;
}

TEST(Help, KnowsTheCommands) {
  const std::vector<std::string> names = commands();
  for (const char* name : {"attend", "bench", "doctor", "encode", "explain", "plot", "regress", "tour"}) {
    EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
  }
}

TEST(Help, EveryExampleWorksWhenPasted) {
  const std::string folder_of_heed = std::filesystem::path(HEED_COMMAND).parent_path();
  for (const std::string& name : commands()) {
    SCOPED_TRACE(name);
    const Folder folder;
    const std::string example = example_of(heed_command(name + " --help").out);
    ASSERT_TRUE(has(example, "heed " + name)) << example;
    const std::string script = folder.file("example.sh", "set -e\n" + example);
    const std::string line = "cd '" + folder.path() + "' && PATH='" + folder_of_heed + "':\"$PATH\" sh '" +
                             script + "' > out.txt 2> err.txt";
    EXPECT_EQ(std::system(line.c_str()), 0)  // NOLINT(cert-env33-c): a test of a command
        << example << contents(folder / "err.txt");
    EXPECT_EQ(contents(folder / "err.txt"), "") << example;
  }
}

TEST(Help, FitsATerminalAndSaysWhatItIsInOneSentence) {
  for (const std::string& name : commands()) {
    const std::vector<std::string> help = lines_of(heed_command(name + " --help").out);
    ASSERT_FALSE(help.empty()) << name;
    EXPECT_GT(help.front().size(), 10u) << name;
    EXPECT_TRUE(help[1].starts_with("Usage: heed " + name)) << help[1];
  }
}

}  // namespace
