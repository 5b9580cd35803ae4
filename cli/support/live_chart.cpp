// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "live_chart.h"

#include <fmt/format.h>

#include <algorithm>

std::string drawn_over(const std::string& picture, int lines_before) {
  // Up, then clear to the end of the screen: the new picture may be the smaller one.
  const std::string back = lines_before > 0 ? fmt::format("\x1b[{}A\x1b[J", lines_before) : "";
  return back + picture;
}

LiveChart::LiveChart(Show show, std::FILE* stream)
    : stream_(stream),
      terminal_(heed::viz::terminal(::fileno(stream))),
      shown_(show == Show::kOnTerminal && terminal_.interactive) {
  // What has scrolled away cannot be drawn over.
  terminal_.rows = std::min(terminal_.rows, 20);
}

bool LiveChart::is_due() const {
  constexpr std::chrono::milliseconds kMoment(50);
  return shown_ && std::chrono::steady_clock::now() - drawn_ >= kMoment;
}

void LiveChart::show(const heed::viz::Chart& chart) {
  if (!shown_) return;
  const std::string picture = heed::viz::text(chart, terminal_);
  fmt::print(stream_, "{}", drawn_over(picture, lines_));
  std::fflush(stream_);
  lines_ = static_cast<int>(std::count(picture.begin(), picture.end(), '\n'));
  drawn_ = std::chrono::steady_clock::now();
}
