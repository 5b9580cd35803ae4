// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the bindings of heatmaps and charts have in common.
#pragma once

#include "shown.h"

#include <heed/error.h>
#include <heed/viz.h>

#include <string>

namespace heed::python {

inline viz::Pool to_pool(const std::string& name, const char* where) {
  if (name == "max") return viz::Pool::kMax;
  if (name == "mean") return viz::Pool::kMean;
  throw Error(std::string(where) + ": pool must be \"max\" or \"mean\", found " + shown(name));
}

}  // namespace heed::python
