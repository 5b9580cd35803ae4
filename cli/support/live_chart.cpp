#include "live_chart.h"

#include <fmt/format.h>

#include <algorithm>

std::string drawn_over(const std::string& picture, int lines_before) {
  // Up, then clear to the end of the screen: the new picture may be the smaller one.
  const std::string back = lines_before > 0 ? fmt::format("\x1b[{}A\x1b[J", lines_before) : "";
  return back + picture;
}

LiveChart::LiveChart(std::FILE* stream) : stream_(stream), terminal_(heed::viz::terminal(::fileno(stream))) {
  // What has scrolled away cannot be drawn over.
  terminal_.rows = std::min(terminal_.rows, 20);
}

void LiveChart::show(const heed::viz::Chart& chart) {
  if (!is_shown()) return;
  const std::string picture = heed::viz::text(chart, terminal_);
  fmt::print(stream_, "{}", drawn_over(picture, lines_));
  std::fflush(stream_);
  lines_ = static_cast<int>(std::count(picture.begin(), picture.end(), '\n'));
}
