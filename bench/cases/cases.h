// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Every case there is, by area.
#pragma once

#include "case.h"

#include <vector>

namespace heed::bench {

using Cases = std::vector<Case>;

void add_forward_cases(Cases& cases);
void add_backward_cases(Cases& cases);
void add_decode_cases(Cases& cases);
void add_additive_cases(Cases& cases);
void add_gaussian_cases(Cases& cases);
void add_option_cases(Cases& cases);
void add_module_cases(Cases& cases);
void add_small_cases(Cases& cases);

/// All of them, in the order they are shown in.
const Cases& all_cases();

}  // namespace heed::bench
