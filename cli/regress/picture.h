// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A fit as a picture: points, curve and band.
#pragma once

#include "regress/fit.h"

#include <string>

namespace heed::command {

/// To a .svg, .png or .pdf file, or "-" for the terminal. One x alone: there is one axis for it.
void draw_fit(const std::string& path, const Sample& sample, const Fit& fit);

}  // namespace heed::command
