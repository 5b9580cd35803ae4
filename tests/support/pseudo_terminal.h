// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A terminal for tests: what is written to it can be read back.
#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace heed::test {

/// 100 columns and 30 rows. Throws where the system has no pseudo-terminals (is /dev/pts mounted?).
class PseudoTerminal {
 public:
  PseudoTerminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ >= 0 && ::grantpt(master_) == 0 && ::unlockpt(master_) == 0) {
      slave_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    }
    if (slave_ < 0) throw std::runtime_error("no pseudo-terminal: is /dev/pts mounted?");
    winsize size = {};
    size.ws_col = 100;
    size.ws_row = 30;
    ::ioctl(slave_, TIOCSWINSZ, &size);
  }
  ~PseudoTerminal() {
    close_slave();
    if (master_ >= 0) ::close(master_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  int master() const { return master_; }  ///< where a test reads
  int slave() const { return slave_; }    ///< what a program takes for a terminal
  /// Once nobody else holds it, reading ends.
  void close_slave() {
    if (slave_ >= 0) ::close(slave_);
    slave_ = -1;
  }

 private:
  int master_, slave_ = -1;
};

}  // namespace heed::test
