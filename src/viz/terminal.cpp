// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What a stream can show, from the conventions of no-color.org, COLORTERM and TERM.
#include <heed/viz.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace heed::viz {
namespace {

std::string_view variable(const char* name) {
  const char* value =
      std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here changes the environment
  return value == nullptr ? std::string_view() : value;
}

/// Text beyond ASCII is fine unless the locale says another encoding.
bool takes_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = variable(name);
    if (locale.empty()) continue;
    const bool named_other = locale.find('.') != std::string_view::npos &&
                             locale.find("UTF-8") == std::string_view::npos &&
                             locale.find("utf8") == std::string_view::npos;
    return !named_other;
  }
  return true;
}

Ink ink_of(bool interactive) {
  const std::string_view term = variable("TERM"), colour = variable("COLORTERM");
  if (term == "dumb") return Ink::kDigits;
  const Ink plain = takes_utf8() ? Ink::kShades : Ink::kDigits;
  if (!interactive || term.empty() || !variable("NO_COLOR").empty()) return plain;
  if (colour == "truecolor" || colour == "24bit") return Ink::kTrueColour;
  return term.find("256color") != std::string_view::npos ? Ink::k256 : plain;
}

}  // namespace

Terminal terminal(int fd) {
  Terminal found;
  found.interactive = ::isatty(fd) == 1 && variable("TERM") != "dumb";
  found.ink = ink_of(found.interactive);
  found.utf8 = takes_utf8();
  winsize size = {};
  if (found.interactive && ::ioctl(fd, TIOCGWINSZ, &size) == 0) {
    if (size.ws_col > 0) found.columns = std::max<int>(size.ws_col, 20);
    if (size.ws_row > 0) found.rows = std::max<int>(size.ws_row, 8);
  }
  return found;
}

}  // namespace heed::viz
