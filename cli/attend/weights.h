// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The weights of a call, to a file or as a picture, computed where asked for and held no longer than needed.
#pragma once

#include "attend/call.h"
#include "support/progress.h"

#include <heed/viz.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::command {

struct WeightsFlags {
  std::string file;                ///< for numbers; empty if not wanted
  std::string heatmap;             ///< for a picture, "-" for the terminal; empty if not wanted
  std::vector<std::int64_t> rows;  ///< all, if empty
};

/// An error now rather than after the work.
void check_outputs(const WeightsFlags& flags);

/// What was asked for, computed and not yet written.
struct WeightsOutput {
  std::optional<Tensor> numbers;
  std::optional<viz::Heatmap> picture;
};
WeightsOutput weights_output(const AttendCall& call, const WeightsFlags& flags, Show show);
/// Files first, and before anything is printed.
void write_files(const WeightsOutput& output, const WeightsFlags& flags);
/// The picture, if it is for the terminal.
void print(const WeightsOutput& output, const WeightsFlags& flags);

}  // namespace heed::command
