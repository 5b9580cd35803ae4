// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What a command writes when it runs on a terminal.
#pragma once

#include "support/pseudo_terminal.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

namespace heed::test {

/// Output and errors, as the terminal gets them; 100 columns of plain characters.
inline std::string on_a_terminal(const std::string& command) {
  PseudoTerminal terminal;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(terminal.slave(), STDOUT_FILENO);
    ::dup2(terminal.slave(), STDERR_FILENO);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  terminal.close_slave();
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = ::read(terminal.master(), part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  ::waitpid(child, nullptr, 0);
  return text;
}

}  // namespace heed::test
