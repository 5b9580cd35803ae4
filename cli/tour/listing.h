// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The experiments as programs that stand alone: what a reader pastes and runs.
#pragma once

#include <string_view>

namespace heed::tour {

/// Cut from the source that was compiled into the tour; empty if there is no such experiment.
std::string_view cpp_program(std::string_view experiment);

/// The same in Python.
std::string_view python_program(std::string_view experiment);

}  // namespace heed::tour
