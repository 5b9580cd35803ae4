// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The one place the version is written: CMake, pkg-config and version() read it from here.
#pragma once

#include <heed/export.h>

#define HEED_VERSION_MAJOR 0
#define HEED_VERSION_MINOR 1
#define HEED_VERSION_PATCH 0

namespace heed {

/// "major.minor.patch" of the library that is linked, not of the header that was included.
HEED_API const char* version() noexcept;

}  // namespace heed
