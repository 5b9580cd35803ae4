// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <utility>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kQuietAtFirst{1000};
constexpr std::chrono::milliseconds kBetweenLines{200};
/// Back to the start of the line, and nothing in it.
constexpr const char* kEmptyLine = "\r\033[K";

std::string duration(double seconds) {
  const long long whole = std::llround(seconds);
  if (whole < 120) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min", (whole + 30) / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string progress_text(const ProgressState& state) {
  if (!(state.total > 0 && state.done > 0 && state.seconds > 0)) {
    return fmt::format("{}: {}", state.what, duration(state.seconds));
  }
  if (state.at_most) {
    return fmt::format("{}: {:.0f} of at most {:.0f} {}, {}", state.what, state.done, state.total, state.unit,
                       duration(state.seconds));
  }
  const double rate = state.done / state.seconds;
  const double left = (state.total - state.done) / rate;
  return fmt::format("{}: {:.0f} % of {:.0f} {}, {:.{}f} {}/s, {} left", state.what,
                     100 * state.done / state.total, state.total, state.unit, rate, rate < 10 ? 1 : 0,
                     state.unit, duration(left > 0 ? left : 0));
}

Progress::Progress(std::string what, std::string unit, Show show, Total total)
    : what_(std::move(what)), unit_(std::move(unit)), at_most_(total == Total::kAtMost) {
  if (show == Show::kNever || ::isatty(STDERR_FILENO) == 0) return;
  writer_ = std::jthread([this](const std::stop_token& stop) { write_lines(stop); });
}

Progress::~Progress() = default;

void Progress::write_lines(const std::stop_token& stop) const {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any wake;
  const Clock::time_point start = Clock::now();
  const auto never = [] { return false; };
  wake.wait_for(lock, stop, kQuietAtFirst, never);
  bool written = false;
  while (!stop.stop_requested()) {
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    fmt::print(stderr, "{}{}", kEmptyLine,
               progress_text({what_, unit_, done_, total_, elapsed.count(), at_most_}));
    std::fflush(stderr);
    written = true;
    wake.wait_for(lock, stop, kBetweenLines, never);
  }
  if (!written) return;
  fmt::print(stderr, "{}", kEmptyLine);
  std::fflush(stderr);
}
