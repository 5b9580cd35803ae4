// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A poll for Interruptible that ends a call after a number of looks.
#pragma once

#include <atomic>

namespace heed::test {

struct Stop {};
inline std::atomic<int> polls_left{0};
inline void stop_after_some() {
  if (polls_left-- == 0) throw Stop();
}

}  // namespace heed::test
