// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Who adds up partial sums, and when a head may take another's place.
#include "kernels/cpu/attention/backward_progress.h"

#include <gtest/gtest.h>

#include <string>

namespace heed::kernels::cpu {
namespace {

class Progress : public testing::Test {
 protected:
  /// What the task's end brought about: "c" for its chunk, "s" for its span.
  std::string done(std::int64_t head, std::int64_t chunk, std::int64_t span) {
    std::string ended;
    progress.task_done(
        head, chunk, span, [&] { ended += 'c'; }, [&] { ended += 's'; });
    return ended;
  }

  BackwardProgress progress{7, 2, 2, 3};
};

TEST_F(Progress, TheLastTaskOfAChunkOrSpanEndsIt) {
  EXPECT_EQ(done(0, 0, 1), "");
  EXPECT_EQ(done(0, 1, 1), "s");
  EXPECT_EQ(done(0, 1, 0), "");
  EXPECT_EQ(done(0, 1, 2), "c");
  EXPECT_EQ(done(0, 0, 2), "s");
  EXPECT_EQ(done(0, 0, 0), "cs");
}

TEST_F(Progress, AHeadBeginsWhenTheOneInItsPlaceHasEnded) {
  for (const std::int64_t head : {0, 1, 2, 3, 4}) {
    SCOPED_TRACE(head);
    EXPECT_TRUE(progress.may_begin(head));
    EXPECT_FALSE(progress.may_begin(head + 2));
    EXPECT_EQ(progress.place(head), progress.place(head + 2));
    EXPECT_NE(progress.place(head), progress.place(head + 1));
    for (std::int64_t task = 0; task < 6; ++task) {
      EXPECT_FALSE(progress.may_begin(head + 2)) << task;
      done(head, task / 3, task % 3);
    }
    EXPECT_TRUE(progress.may_begin(head + 2));
  }
}

TEST_F(Progress, APlaceIsTakenUntilSumsAreAdded) {
  for (std::int64_t task = 0; task < 5; ++task) done(0, task / 3, task % 3);
  const auto still_taken = [&] { EXPECT_FALSE(progress.may_begin(2)); };
  progress.task_done(0, 1, 2, still_taken, still_taken);
  EXPECT_TRUE(progress.may_begin(2));
}

TEST(ProgressOfHeadsOfOneTask, NobodyWaitsUnlessHeadsTakeTurns) {
  BackwardProgress free{3, 3, 1, 1}, in_turn{3, 1, 1, 1};
  const auto nothing = [] {};
  EXPECT_TRUE(free.may_begin(2));
  EXPECT_FALSE(in_turn.may_begin(1));
  in_turn.task_done(0, 0, 0, nothing, nothing);
  EXPECT_TRUE(in_turn.may_begin(1));
  EXPECT_FALSE(in_turn.may_begin(2));
}

TEST_F(Progress, HeadsUnderWayDoNotMix) {
  for (std::int64_t task = 0; task < 5; ++task) {
    done(0, task / 3, task % 3);
    done(1, 1 - task / 3, 2 - task % 3);
  }
  EXPECT_EQ(done(1, 0, 0), "cs");
  EXPECT_TRUE(progress.may_begin(3));
  EXPECT_FALSE(progress.may_begin(2));
  EXPECT_EQ(done(0, 1, 2), "cs");
  EXPECT_TRUE(progress.may_begin(2));
}

}  // namespace
}  // namespace heed::kernels::cpu
