// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The options of masks, as all commands that attend have them.
#pragma once

#include "attend/call.h"

#include <CLI/CLI.hpp>

/// --valid-lens, --causal, --window, --align and --mask.
void add_mask_options(CLI::App& command, heed::command::MaskFlags& flags);

/// Wrong usage if --align has nothing to say.
void check_mask_usage(const heed::command::MaskFlags& flags);
