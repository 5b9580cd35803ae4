// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The source of the experiments' functions, as it was compiled.
#pragma once

#include <string_view>

namespace heed::tour {

/// The text of run_waist() and its like, after that of the helpers in its file; empty if there is no such function.
std::string_view listing(std::string_view function);

}  // namespace heed::tour
