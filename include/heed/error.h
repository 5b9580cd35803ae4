// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The one exception type of the library. The library never prints, aborts or exits.
#pragma once

#include <heed/export.h>

#include <stdexcept>
#include <string>

namespace heed {

/// Bad input, a failed allocation, or a misused graph. The text names the operation, the argument,
/// what was expected and what was found: "matmul: inner sizes differ: (2, 3) x (4, 5)".
class HEED_API Error : public std::invalid_argument {
 public:
  explicit Error(const std::string& message);
  ~Error() override;
};

}  // namespace heed
