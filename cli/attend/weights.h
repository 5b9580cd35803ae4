// The weights of a call, to a file or as a picture, computed where asked for and held no longer than needed.
#pragma once

#include "attend/call.h"
#include "support/progress.h"

#include <cstdint>
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

void write_weights(const AttendCall& call, const WeightsFlags& flags, Show show);

}  // namespace heed::command
