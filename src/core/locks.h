// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The library's mutexes. Whoever forks holds them all meanwhile, so that the child finds none held by a thread it does not
// have. Nothing foreign may run under one, no deleter of borrowed memory above all: it may wait for what the thread that forks
// holds, such as Python's GIL, or call the library again.
#pragma once

#include <mutex>

namespace heed::detail {

/// In the order in which a thread may take several.
struct Locks {
  std::mutex gradients;  ///< of leaves, while backward() adds to them
  std::mutex blocks;     ///< kept by the BlockCache
};

Locks& locks();

}  // namespace heed::detail
