// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "figure.h"

#include "files.h"
#include "hold_signals.h"
#include "numbers.h"
#include "output.h"

#include <heed/error.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

const std::vector<std::string> kColourNames = {"reds", "blues", "viridis", "diverging"};

void check_figure_output(const std::string& path) {
  if (path != "-") check_output(path, kPictureSuffixes);
}

void show_figure(const std::string& path, const heed::viz::Figure& figure, const heed::viz::Canvas& canvas) {
  if (path == "-") return print(heed::viz::text(figure, heed::viz::terminal(STDOUT_FILENO)));
  const HoldSignals guard;
  heed::viz::save(path, figure, canvas);
}

std::vector<std::string> parse_labels(const std::string& text) {
  if (text.empty()) return {};
  std::vector<std::string> labels;
  if (text.front() != '@') {
    for (const std::string_view part : split(text, ',')) labels.emplace_back(part);
    return labels;
  }
  const std::string path = text.substr(1);
  errno = 0;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    labels.push_back(line);
  }
  if (!file.eof() || file.bad())
    throw heed::Error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return labels;
}

heed::viz::Colours parse_colours(const std::string& name) {
  return static_cast<heed::viz::Colours>(std::ranges::find(kColourNames, name) - kColourNames.begin());
}
