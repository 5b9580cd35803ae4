// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What parallel loops promise of all tasks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace heed::test {

/// run(body) calls body(task, worker) once for every task in [0, count), by workers in [0, workers).
template <class Run>
void expect_each_task_once(std::int64_t count, std::int64_t workers, const Run& run) {
  std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
  std::atomic<int> strangers{0};
  run([&](std::int64_t task, std::int64_t worker) {
    if (task < 0 || task >= count || worker < 0 || worker >= workers) {
      ++strangers;
    } else {
      ++times[static_cast<std::size_t>(task)];
    }
  });
  EXPECT_EQ(strangers, 0);
  EXPECT_TRUE(std::ranges::all_of(times, [](const std::atomic<int>& n) { return n == 1; }))
      << count << " tasks, at most " << workers << " workers";
}

}  // namespace heed::test
