// A chart in the terminal that is drawn again over itself as its numbers come in: a loss while it falls.
#pragma once

#include <heed/viz.h>

#include <cstdio>
#include <string>

/// The picture, preceded by what moves the cursor back over the lines of the last one.
std::string drawn_over(const std::string& picture, int lines_before);

class LiveChart {
 public:
  /// Only on a terminal that somebody looks at; elsewhere nothing is ever written.
  explicit LiveChart(std::FILE* stream = stderr);

  bool is_shown() const noexcept { return terminal_.interactive; }

  /// Draws the chart in the place of the one before.
  void show(const heed::viz::Chart& chart);

 private:
  std::FILE* stream_;
  heed::viz::Terminal terminal_;
  int lines_ = 0;
};
