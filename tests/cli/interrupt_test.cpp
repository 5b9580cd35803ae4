// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Ctrl-C, and what progress looks like on a terminal.
#include "cli/heed_command.h"
#include "support/files.h"
#include "support/pseudo_terminal.h"

#include <heed/heed.h>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>

namespace {

using namespace heed::test;

/// Starts the command with what it writes to standard error going to `err`.
pid_t start(const std::vector<std::string>& arguments, int err) {
  std::vector<char*> argv;
  std::string program = HEED_COMMAND;
  argv.push_back(program.data());
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  return child;
}

/// Interrupted at any moment, the old file or the new one is there, whole, and nothing else.
TEST(Interrupt, LeavesNoHalfFile) {
  const Folder folder;
  heed::save(folder / "x.npy", heed::ones({3, 4}));
  heed::save(folder / "q.npy", heed::ones({200000, 4}));
  heed::save(folder / "o.npy", heed::zeros({1}));
  const int files = folder.count(), null = ::open("/dev/null", O_WRONLY);
  const std::string x = folder / "x.npy";
  for (int round = 0; round < 25; ++round) {
    const pid_t child = start(
        {"attend", "--queries", folder / "q.npy", "--keys", x, "--values", x, "--out", folder / "o.npy"},
        null);
    ::usleep(static_cast<useconds_t>(3000 * (round + 1)));
    ::kill(child, SIGINT);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(folder.count(), files) << "a temporary file is left";
    const heed::Shape shape = heed::load(folder / "o.npy").shape();
    EXPECT_TRUE(shape == heed::Shape{1} || (shape == heed::Shape{200000, 4})) << shape;
  }
  ::close(null);
}

/// What a command that takes long says on a terminal until it is interrupted.
std::string said_on_terminal(const std::vector<std::string>& arguments) {
  heed::test::PseudoTerminal terminal;
  const pid_t child = start(arguments, terminal.slave());
  terminal.close_slave();
  std::string said;
  // Until the line names a rate; a minute means it never will.
  while (said.find("left") == std::string::npos) {
    pollfd ready{terminal.master(), POLLIN, 0};
    if (::poll(&ready, 1, 60000) != 1) break;
    char text[512];
    const ssize_t count = ::read(terminal.master(), text, sizeof text);
    if (count <= 0) break;
    said.append(text, static_cast<std::size_t>(count));
  }
  ::kill(child, SIGINT);
  ::waitpid(child, nullptr, 0);
  return said;
}

TEST(Progress, SaysRateAndTimeLeftOnATerminal) {
  const Folder folder;
  heed::save(folder / "many.npy", heed::normal({300000, 8}));
  const std::string x = folder / "many.npy";
  const std::string said = said_on_terminal({"attend", "--queries", x, "--keys", x, "--values", x});
  EXPECT_TRUE(has(said, "attending: ")) << said;
  EXPECT_TRUE(has(said, "% of 300000 rows, ")) << said;
  EXPECT_TRUE(has(said, " rows/s, ")) << said;
  EXPECT_TRUE(has(said, " left")) << said;
}

}  // namespace
