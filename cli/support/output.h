// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Standard output, with failures noticed: a full disk must not look like success.
#pragma once

#include <string_view>

/// Writes and flushes; throws if the text did not get out.
void print(std::string_view text);
