// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Runs cases on request, for a program that compares heed with something outside this process.
#pragma once

#include <iosfwd>

namespace heed::bench {

/// Reads lines "NAME THREADS SECONDS" and answers each with a line: the seconds of one run of that case, measured for
/// about so long, or "error: ...". What a case needs is made at the first request and kept.
void serve(std::istream& requests, std::ostream& answers);

}  // namespace heed::bench
