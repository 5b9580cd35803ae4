// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What a stream is taken for: a pipe, a terminal with and without colours.
#include "support/pseudo_terminal.h"

#include <gtest/gtest.h>
#include <heed/viz.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace heed::viz {
namespace {

/// Sets variables (or removes those without a value), and puts back what was there.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::optional<std::string>>& variables) {
    for (const auto& [name, value] : variables) {
      const char* before = std::getenv(name.c_str());
      before_[name] = before == nullptr ? std::nullopt : std::optional<std::string>(before);
      set(name, value);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : before_) set(name, value);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static void set(const std::string& name, const std::optional<std::string>& value) {
    value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  std::map<std::string, std::optional<std::string>> before_;
};

using Variables = std::map<std::string, std::optional<std::string>>;
const Variables kRich = {{"TERM", "xterm-256color"},
                         {"COLORTERM", "truecolor"},
                         {"NO_COLOR", std::nullopt},
                         {"LC_ALL", "C.UTF-8"}};

Variables rich_but(const std::string& name, const std::optional<std::string>& value) {
  Variables variables = kRich;
  variables[name] = value;
  return variables;
}

TEST(Terminal, PipesArePlainAndEightyColumnsWide) {
  const Environment environment(kRich);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const Terminal found = terminal(ends[1]);
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_EQ(found.ink, Ink::kShades);
  EXPECT_EQ(found.columns, 80);
  EXPECT_FALSE(found.interactive);
}

TEST(Terminal, TerminalsHaveTheirSizeAndColours) {
  const test::PseudoTerminal fake;
  const Environment environment(kRich);
  const Terminal found = terminal(fake.slave());
  EXPECT_EQ(found.ink, Ink::kTrueColour);
  EXPECT_EQ(found.columns, 100);
  EXPECT_EQ(found.rows, 30);
  EXPECT_TRUE(found.interactive);
}

TEST(Terminal, TheEnvironmentDecidesAboutColours) {
  const test::PseudoTerminal fake;
  const auto ink = [&](const std::string& name, const std::optional<std::string>& value) {
    const Environment environment(rich_but(name, value));
    return terminal(fake.slave()).ink;
  };
  EXPECT_EQ(ink("COLORTERM", std::nullopt), Ink::k256);
  EXPECT_EQ(ink("NO_COLOR", "1"), Ink::kShades);
  EXPECT_EQ(ink("NO_COLOR", ""), Ink::kTrueColour);  // an empty one does not count, says no-color.org
  EXPECT_EQ(ink("TERM", "dumb"), Ink::kDigits);
  EXPECT_EQ(ink("TERM", std::nullopt), Ink::kShades);
  EXPECT_EQ(ink("LC_ALL", "de_DE.ISO-8859-1"), Ink::kTrueColour);
  const Environment plain({{"TERM", "vt100"}, {"COLORTERM", std::nullopt}, {"LC_ALL", "de_DE.ISO-8859-1"}});
  EXPECT_EQ(terminal(fake.slave()).ink, Ink::kDigits);
}

}  // namespace
}  // namespace heed::viz
