// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A chart drawn over itself: only where somebody looks, and exactly over the lines of the last one.
#include "support/live_chart.h"
#include "support/pseudo_terminal.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

const heed::viz::Chart kChart{.series = {{.x = heed::arange(2), .y = heed::arange(2)}}};

/// What a terminal gets when the chart is shown twice.
std::string shown_on_a_terminal(Show show) {
  ::setenv("TERM", "vt100", 1);
  heed::test::PseudoTerminal terminal;
  {
    const File slave(::fdopen(::dup(terminal.slave()), "w"), std::fclose);
    LiveChart live(show, slave.get());
    EXPECT_EQ(live.is_due(), show == Show::kOnTerminal);
    live.show(kChart);
    live.show(kChart);
  }
  // It comes in pieces, and ends with an error once the other side is closed.
  terminal.close_slave();
  std::string text;
  std::array<char, 1U << 12U> piece;
  for (ssize_t count = 0; (count = ::read(terminal.master(), piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
  return text;
}

TEST(LiveChart, GoesBackOverTheLinesOfTheLastPicture) {
  EXPECT_EQ(drawn_over("a\nb\n", 0), "a\nb\n");
  EXPECT_EQ(drawn_over("c\n", 2), "\x1b[2A\x1b[Jc\n");
}

TEST(LiveChart, DrawsOverItselfOnATerminal) {
  const std::string text = shown_on_a_terminal(Show::kOnTerminal);
  const std::string first = text.substr(0, text.find('\x1b'));
  const auto lines = std::count(first.begin(), first.end(), '\n');
  EXPECT_GT(lines, 5);
  EXPECT_EQ(text, first + "\x1b[" + std::to_string(lines) + "A\x1b[J" + first);
}

TEST(LiveChart, IsSilentWhenAskedToBe) { EXPECT_EQ(shown_on_a_terminal(Show::kNever), ""); }

TEST(LiveChart, WritesNothingToAFile) {
  const File file(std::tmpfile(), std::fclose);
  LiveChart live(Show::kOnTerminal, file.get());
  EXPECT_FALSE(live.is_due());
  live.show(kChart);
  EXPECT_EQ(std::ftell(file.get()), 0);
}

}  // namespace
