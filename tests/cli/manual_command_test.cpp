// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Man pages and completion: of every command and option, and in a form that man and the shells accept.
#include "cli/heed_command.h"
#include "support/files.h"

#include <algorithm>
#include <vector>

namespace {

using namespace heed::test;

std::vector<std::string> commands() {
  std::stringstream names(heed_command("man --list").out);
  std::vector<std::string> found;
  for (std::string name; std::getline(names, name);) found.push_back(name);
  return found;
}

/// "--queries", "--out", ... as the help of a command has them.
std::vector<std::string> options_of(const std::string& command) {
  std::stringstream words(heed_command(command + " --help").out);
  std::vector<std::string> found;
  for (std::string line; std::getline(words, line);) {
    const std::size_t at = line.find("--");
    if (!line.starts_with("  ") || line.starts_with("    ") || at == std::string::npos || at > 6) continue;
    found.push_back(line.substr(at, line.find_first_of(" ,", at) - at));
  }
  return found;
}

bool succeeds(const std::string& line) {
  return std::system(line.c_str()) == 0;  // NOLINT(cert-env33-c): a test of a command
}

TEST(Manual, NamesEveryCommandAndOption) {
  const std::vector<std::string> names = commands();
  ASSERT_GT(names.size(), 12u);
  const std::string program = heed_command("man").out, bash = heed_command("completion bash").out,
                    zsh = heed_command("completion zsh").out, fish = heed_command("completion fish").out;
  for (const std::string& name : names) {
    const std::vector<std::string> options = options_of(name);
    ASSERT_FALSE(options.empty()) << name;
    std::string page = heed_command("man " + name).out;
    for (std::size_t at = 0; (at = page.find("\\-", at)) != std::string::npos;) page.erase(at, 1);
    for (const std::string& option : options) {
      EXPECT_TRUE(has(page, option)) << name << option;
      EXPECT_TRUE(has(bash, option)) << name << option;
      EXPECT_TRUE(has(zsh, option)) << name << option;
      EXPECT_TRUE(has(fish, "-l " + option.substr(2))) << name << option;
    }
    for (const std::string* text : {&bash, &zsh, &fish}) EXPECT_TRUE(has(*text, name)) << name;
  }
}

TEST(Manual, EveryCommandThatComputesTakesThreads) {
  for (const std::string& name : commands()) {
    const std::vector<std::string> options = options_of(name);
    const bool computes = name != "man" && name != "completion";
    EXPECT_EQ(std::find(options.begin(), options.end(), "--threads") != options.end(), computes) << name;
  }
  expect_wrong_usage("bmm a.npy b.npy --threads 0", "--threads");
}

TEST(Manual, PagesAreWellFormed) {
  const Folder folder;
  for (const std::string& name : commands()) {
    for (const std::string& page : {std::string("man"), "man " + name}) {
      const std::string file = folder.file("page.1", heed_command(page).out);
      // A page has the version rather than a date.
      (void)succeeds("mandoc -T lint -W warning '" + file + "' 2>&1 | grep -v 'missing date' > '" +
                     folder / "lint" + "'");
      EXPECT_EQ(contents(folder / "lint"), "") << page;
    }
  }
  const Result unknown = heed_command("man nobody");
  EXPECT_EQ(unknown.code, 2);
}

TEST(Manual, ShellsAcceptTheScripts) {
  const Folder folder;
  struct Shell {
    const char* name;
    const char* check;
  };
  for (const auto& [name, check] :
       {Shell{"bash", "bash -n"}, Shell{"zsh", "zsh -n"}, Shell{"fish", "fish --no-execute"}}) {
    const std::string script = folder.file(name, heed_command(std::string("completion ") + name).out);
    ASSERT_FALSE(contents(script).empty());
    EXPECT_TRUE(succeeds(std::string(check) + " '" + script + "'")) << name;
  }
  expect_wrong_usage("completion tcsh", "'tcsh' is none of bash, zsh, fish");
}

/// What a shell offers after these words, a line each.
std::string offered_by_bash(const Folder& folder, const std::string& words) {
  folder.file("ask.sh", heed_command("completion bash").out + "COMP_WORDS=(" + words +
                            ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\ncompopt() { :; }\n_heed\n"
                            "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  EXPECT_TRUE(succeeds("cd '" + folder.path() + "' && bash ask.sh > answer 2>&1"))
      << contents(folder / "answer");
  return contents(folder / "answer");
}

TEST(Manual, BashCompletesCommandsOptionsAndValues) {
  const Folder folder;
  folder.file("data.csv", "x\n");
  EXPECT_EQ(offered_by_bash(folder, "heed reg"), "regress\n");
  EXPECT_EQ(offered_by_bash(folder, "heed attend --sc"), "--score\n--scale\n");
  EXPECT_EQ(offered_by_bash(folder, "heed attend --score g"), "gaussian\n");
  EXPECT_EQ(offered_by_bash(folder, "heed attend --queries da"), "data.csv\n");
  EXPECT_EQ(offered_by_bash(folder, "heed regress da"), "data.csv\n");
}

}  // namespace
