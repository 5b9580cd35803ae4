// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "io/zip.h"

namespace heed::io::zip {

/// Members fill the file from its start to `end`, where the directory begins, and their local headers say what the
/// directory says. Sets where the data of each lies.
void check_places(const Source& source, std::vector<ZipMember>& members, std::uint64_t end);

}  // namespace heed::io::zip
