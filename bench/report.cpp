// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heed::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string time_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.3f} us", seconds * 1e6);
}

std::string rate_text(const Result& result) {
  switch (result.measured->work.unit) {
    case Work::Unit::kFlops: return fmt::format("{:.1f} GFLOP/s", result.rate() * 1e-9);
    case Work::Unit::kTerms: return fmt::format("{:.2f} Gterms/s", result.rate() * 1e-9);
    case Work::Unit::kBytes: return fmt::format("{:.1f} GB/s", result.rate() * 1e-9);
    case Work::Unit::kCalls: break;
  }
  return "";
}

std::string ratio_text(const Result& result) {
  const double ratio = result.summary.ratio;
  switch (ratio_of(*result.measured)) {
    case Ratio::kToPeak: return fmt::format("{:.3f} of peak", ratio);
    case Ratio::kToBandwidth: return fmt::format("{:.3f} of bandwidth", ratio);
    case Ratio::kClocksPer16Terms: return fmt::format("{:.2f} clk/16", ratio);
    case Ratio::kTime: return fmt::format("{:.3f} x {}", ratio, result.measured->against->name);
    case Ratio::kSpeedup: return fmt::format("{:.2f} x speed", ratio);
    case Ratio::kNone: break;
  }
  return "";
}

void add_rate(Json& row, const Result& result) {
  switch (result.measured->work.unit) {
    case Work::Unit::kFlops: row["gflops"] = result.rate() * 1e-9; break;
    case Work::Unit::kTerms: row["terms_per_second"] = result.rate(); break;
    case Work::Unit::kBytes: row["gbytes"] = result.rate() * 1e-9; break;
    case Work::Unit::kCalls: break;
  }
}

void add_ratio(Json& row, const Result& result) {
  const Summary& summary = result.summary;
  row["ratio_to_peak"] = nullptr;
  switch (ratio_of(*result.measured)) {
    case Ratio::kToPeak:
    case Ratio::kToBandwidth:
      row["ratio_to_peak"] = summary.ratio;
      row["ratio_to_peak_all_rounds"] = summary.ratio_all;
      break;
    case Ratio::kClocksPer16Terms:
      row["clocks_per_16_terms"] = summary.ratio;
      row["clocks_per_16_terms_all_rounds"] = summary.ratio_all;
      break;
    case Ratio::kTime:
      row["against"] = result.measured->against->name;
      row["time_ratio"] = summary.ratio;
      row["time_ratio_all_rounds"] = summary.ratio_all;
      break;
    case Ratio::kSpeedup:
      row["against"] = result.measured->against->name;
      row["speedup"] = summary.ratio;
      row["speedup_all_rounds"] = summary.ratio_all;
      break;
    case Ratio::kNone: break;
  }
}

Json json_row(const Result& result) {
  const Case& measured = *result.measured;
  Json row{{"name", measured.name},         {"score", measured.score},   {"shape", measured.shape},
           {"dtype", name(measured.dtype)}, {"threads", result.threads}, {"seconds", result.summary.seconds}};
  add_rate(row, result);
  add_ratio(row, result);
  row["tile_probe"] = result.summary.tile;
  row["quiet_rounds"] = result.summary.quiet;
  row["set_aside"] = result.summary.set_aside;
  row["preempted_rounds"] = result.summary.preempted;
  return row;
}

constexpr const char* kRowFormat = "{:<32} {:>7} {:>12} {:>15} {:>20} {:>6} {:>7} {:>9}\n";

}  // namespace

std::string table_heading() {
  return fmt::format(fmt::runtime(kRowFormat), "case", "threads", "time", "rate", "ratio", "tile", "quiet",
                     "preempted");
}

std::string table_row(const Result& result) {
  const Summary& summary = result.summary;
  return fmt::format(
      fmt::runtime(kRowFormat), result.measured->name, result.threads, time_text(summary.seconds),
      rate_text(result), ratio_text(result), fmt::format("{:.2f}", summary.tile),
      fmt::format("{}/{}", summary.quiet, summary.quiet + summary.set_aside), summary.preempted);
}

std::string json_text(const Machine& machine, std::span<const Result> results) {
  Json rows = Json::array();
  for (const Result& result : results) rows.push_back(json_row(result));
  const Json all{{"machine", {{"cpu", machine.cpu}, {"tier", machine.tier}, {"threads", machine.threads}}},
                 {"heed", {{"version", machine.version}, {"commit", machine.commit}}},
                 {"rows", rows}};
  return all.dump(2) + "\n";
}

}  // namespace heed::bench
