// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What a figure was measured on, and with what.
#pragma once

#include <string>

namespace heed::bench {

struct Machine {
  std::string cpu;      ///< as the processor names itself; "unknown" if it does not say
  std::string tier;     ///< heed::simd_tier()
  int threads = 1;      ///< all there are
  std::string version;  ///< of the library
  std::string commit;   ///< it was built from, with -dirty if changed since; empty if not built in a checkout
};

Machine this_machine();

}  // namespace heed::bench
