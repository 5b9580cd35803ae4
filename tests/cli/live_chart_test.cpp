// A chart drawn over itself: only where somebody looks, and exactly over the lines of the last one.
#include "support/live_chart.h"

#include <gtest/gtest.h>

#include <memory>

namespace {

TEST(LiveChart, GoesBackOverTheLinesOfTheLastPicture) {
  EXPECT_EQ(drawn_over("a\nb\n", 0), "a\nb\n");
  EXPECT_EQ(drawn_over("c\n", 2), "\x1b[2A\x1b[Jc\n");
}

TEST(LiveChart, WritesNothingToAFile) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  LiveChart live(file.get());
  EXPECT_FALSE(live.is_shown());
  live.show({.series = {{.x = heed::arange(2), .y = heed::arange(2)}}});
  EXPECT_EQ(std::ftell(file.get()), 0);
}

}  // namespace
