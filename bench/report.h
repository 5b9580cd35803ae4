// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Results as people and as programs read them.
#pragma once

#include "machine.h"
#include "measure.h"

#include <span>
#include <string>

namespace heed::bench {

struct Result {
  const Case* measured = nullptr;
  int threads = 1;
  Summary summary;

  /// Work done a second, in the case's unit.
  double rate() const { return measured->work.amount / summary.seconds; }
};

std::string table_heading();
std::string table_row(const Result& result);

/// {"machine": {...}, "heed": {...}, "rows": [...]}; what a row has nothing to say about is null or left out.
std::string json_text(const Machine& machine, std::span<const Result> results);

}  // namespace heed::bench
