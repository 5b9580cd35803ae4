// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// gnuplot as a child process. No shell is involved, and no file name: the script goes in and the picture comes out
// through files that have no names.
#pragma once

#include <string>
#include <string_view>

namespace heed::viz {

/// What gnuplot writes for the script. An Error if there is no gnuplot, if it fails, or if it complains of anything.
std::string gnuplot(const std::string& script);

/// A string of gnuplot's language in which nothing is expanded. `text` must be a label().
std::string quoted(std::string_view text);

/// The same for the label of a tick, which gnuplot takes for a format.
std::string quoted_tick(std::string_view text);

/// A number of a data block: as many digits as it takes to tell it from others, NaN for a gap.
std::string number(double value);

}  // namespace heed::viz
