// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Curves of more places than a picture can show, made light: a file of ten million places helps nobody.
#pragma once

#include "viz/curves.h"

namespace heed::viz {

/// Each line, band and cloud of points with no more places than its share of what a file may hold. Lines and bands keep
/// the ends, the least and the largest of each stretch, and their gaps; clouds one point for each spot, and the outermost.
/// What is small already stays as it is.
void make_light(Curves& curves);

}  // namespace heed::viz
