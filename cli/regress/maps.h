// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Pictures of how a regression came about: the loss while its bandwidth was learned, and which points it looks at.
#pragma once

#include "regress/fit.h"

#include <heed/viz.h>

namespace heed::command {

/// The loss at the start and after each epoch.
viz::Chart loss_chart(const std::vector<double>& losses);

/// The weights of every point for every point, both sorted by the first x column.
viz::Heatmap weight_map(const Sample& sample, const Fit& fit);

}  // namespace heed::command
