// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the commands share: numbers on the command line, progress, signals held while a file is written.
#include "support/hold_signals.h"
#include "support/numbers.h"
#include "support/progress.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>

namespace {

TEST(Numbers, OneByOne) {
  EXPECT_EQ(parse_number("57"), 57);
  EXPECT_EQ(parse_number("-1.5e3"), -1500);
  EXPECT_EQ(parse_number("+2"), 2);
  EXPECT_EQ(parse_number("inf"), INFINITY);
  for (const char* text : {"", " ", "1 ", "1x", "nan", "+-1", "++1", "1,2"})
    EXPECT_FALSE(parse_number(text)) << text;
  EXPECT_EQ(parse_integer("12"), 12);
  for (const char* text : {"1.5", "", "99999999999999999999"}) EXPECT_FALSE(parse_integer(text)) << text;
}

TEST(Numbers, Lists) {
  EXPECT_EQ(parse_numbers("2,0.5"), (std::vector<double>{2, 0.5}));
  EXPECT_EQ(parse_integers("2,6"), (std::vector<std::int64_t>{2, 6}));
  for (const char* text : {"", ",", "2,", "2,x"}) EXPECT_FALSE(parse_numbers(text)) << text;
}

TEST(Numbers, Grids) {
  EXPECT_EQ(parse_grid("0:5:3"), (std::vector<double>{0, 2.5, 5}));
  EXPECT_EQ(parse_grid("5:0:2"), (std::vector<double>{5, 0}));
  EXPECT_EQ(parse_grid("4:9:1"), (std::vector<double>{4}));
  EXPECT_EQ(parse_grid("7"), (std::vector<double>{7}));
  for (const char* text : {"0:5", "0:5:0", "0:5:-1", "0:5:1000001", "0:inf:3", "a:b:3", "0:5:3:1"}) {
    EXPECT_FALSE(parse_grid(text)) << text;
  }
}

TEST(ProgressText, SaysShareRateAndTimeLeft) {
  EXPECT_EQ(progress_text({"attending", "rows", 41000, 100000, 8}),
            "attending: 41 % of 100000 rows, 5125 rows/s, 12 s left");
  EXPECT_EQ(progress_text({"choosing", "looks", 3, 48, 2}),
            "choosing: 6 % of 48 looks, 1.5 looks/s, 30 s left");
  EXPECT_EQ(progress_text({"weighing", "rows", 1, 1000, 10}),
            "weighing: 0 % of 1000 rows, 0.1 rows/s, 2.8 h left");
  EXPECT_EQ(progress_text({"weighing", "rows", 1, 61, 10}),
            "weighing: 2 % of 61 rows, 0.1 rows/s, 10 min left");
}

/// A search that may end any time: to divide what is left by the rate would be a guess, many times too long.
TEST(ProgressText, PromisesNothingWhereTheTotalIsABound) {
  EXPECT_EQ(progress_text({"choosing", "looks", 3, 60, 20, true}), "choosing: 3 of at most 60 looks, 20 s");
}

TEST(ProgressText, WithoutATotalSaysHowLongItTakesAlready) {
  EXPECT_EQ(progress_text({"attending", "rows", 0, 0, 12.2}), "attending: 12 s");
  EXPECT_EQ(progress_text({"attending", "rows", 0, 50, 3}), "attending: 3 s");
}

/// How a child that runs `body` ends, as waitpid() says.
template <class Body>
int status_of(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(HoldSignals, WaitUntilTheFileIsWritten) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    int pipe[2] = {};
    ASSERT_EQ(::pipe(pipe), 0);
    const int status = status_of([&] {
      const HoldSignals guard;
      ::raise(signal);
      (void)!::write(pipe[1], "x", 1);  // still alive
    });
    char reached = 0;
    ::close(pipe[1]);
    EXPECT_EQ(::read(pipe[0], &reached, 1), 1);
    ::close(pipe[0]);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
  }
}

TEST(HoldSignals, WhatIsIgnoredStaysIgnored) {
  const int status = status_of([] {
    ::signal(SIGHUP, SIG_IGN);
    const HoldSignals guard;
    ::raise(SIGHUP);
  });
  EXPECT_TRUE(WIFEXITED(status));
}

TEST(HoldSignals, AfterwardsTheyActAtOnce) {
  const int status = status_of([] {
    { const HoldSignals guard; }
    ::raise(SIGINT);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
}

}  // namespace
