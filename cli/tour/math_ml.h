// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Formulas as they are written in one line of text, set as MathML.
#pragma once

#include <string>
#include <string_view>

namespace heed::tour {

/// One <math> for each piece of the formula; pieces stand two blanks apart and may be set on lines of their own.
///   q, Σ        names and signs             W_q, xᵢ, head_1   below
///   x², Kᵀ      above                       10000^(2i/d)      above, to the closing bracket
///   √d          the root of what follows    ½                 a fraction
///   softmax     words of two letters or more are upright
std::string math_ml(std::string_view formula);

/// Text for HTML: no character of it means anything but itself, in attributes too.
std::string escaped_for_html(std::string_view text);

}  // namespace heed::tour
