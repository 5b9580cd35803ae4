// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A chart in the terminal that is drawn again over itself as its numbers come in: a loss while it falls.
#pragma once

#include "progress.h"

#include <heed/viz.h>

#include <chrono>
#include <cstdio>
#include <string>

/// The picture, preceded by what moves the cursor back over the lines of the last one.
std::string drawn_over(const std::string& picture, int lines_before);

class LiveChart {
 public:
  /// Only on a terminal that somebody looks at; elsewhere nothing is ever written.
  explicit LiveChart(Show show, std::FILE* stream = stderr);

  /// Whether there is something to be drawn for, and the last picture has been seen for a moment.
  bool is_due() const;

  /// Draws the chart in the place of the one before.
  void show(const heed::viz::Chart& chart);

 private:
  std::FILE* stream_;
  heed::viz::Terminal terminal_;
  bool shown_;
  int lines_ = 0;
  std::chrono::steady_clock::time_point drawn_ = {};
};
