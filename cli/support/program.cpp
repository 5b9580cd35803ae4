// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "program.h"

#include "machine.h"

#include <heed/quote.h>
#include <heed/runtime.h>

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

void complain(const std::string& message) {
  constexpr std::size_t kLongest = 1500;
  fmt::print(stderr, "heed: {}\n", heed::printable(shortened(message, kLongest)));
}

std::string shortened(const std::string& text, std::size_t longest) {
  if (text.size() <= longest) return text;
  return fmt::format("{}... ({} characters) ...{}", text.substr(0, longest * 2 / 3), text.size(),
                     text.substr(text.size() - longest / 4));
}

std::string shortened(std::string message, std::span<char* const> arguments) {
  constexpr std::size_t kLongest = 200;
  for (const std::string argument : arguments) {
    for (const std::string& text : {argument, argument.substr(argument.find('=') + 1)}) {
      const std::size_t at = text.size() > kLongest ? message.find(text) : std::string::npos;
      if (at != std::string::npos) message.replace(at, text.size(), shortened(text, kLongest));
    }
  }
  return message;
}

int run_program(int (*run)(int argc, char** argv), int argc, char** argv) {
  // A file that gets larger than it may is an error like a full disk, and leaves nothing behind.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    // More would be killed by the system, which says nothing.
    heed::set_memory_limit(usable_memory());
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
  } catch (const std::exception& e) {
    complain(shortened(e.what(), {argv, static_cast<std::size_t>(argc)}));
  }
  return kCouldNot;
}
