// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One call of attend(), as files and options describe it, and parts of it.
#pragma once

#include <heed/attend.h>
#include <heed/table.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::command {

/// What the command line says; empty means not given.
struct MaskFlags {
  CsvOptions csv = {};  ///< how files are read
  std::string valid_lens;
  std::string causal;
  std::string window;
  std::string align;
  std::string mask;
};

struct AttendFlags : MaskFlags {
  std::string queries, keys, values;
  std::string score = "scaled-dot";
  std::optional<double> scale;
  std::string bandwidth;
  std::string params;
  std::string bias;
  std::optional<double> softcap;
};

struct AttendCall {
  Tensor queries, keys, values;
  Score score = {};
  Tensor lengths = {}, allowed = {}, bias = {};  ///< undefined if not given
  std::vector<WindowOptions> bands = {};         ///< causal and window together; of some rows, an edge each
  std::optional<double> softcap = std::nullopt;

  std::int64_t batches() const { return queries.rank() > 2 ? queries.size(0) : 1; }
  std::int64_t heads() const { return queries.rank() > 3 ? queries.size(1) : 1; }
  std::int64_t rows() const { return queries.size(-2); }

  AttendOptions options() const;
  /// The same call for one batch alone, with the same bits.
  AttendCall batch(std::int64_t index) const;
  /// Whether some_rows() can be asked for: not where the first or the last rows lie beyond an edge of the band.
  bool has_parts() const;
  /// The same call for some rows alone, with the same bits.
  AttendCall some_rows(std::int64_t first, std::int64_t count) const;

 private:
  /// Where row 0 meets the diagonal of the band.
  std::int64_t diagonal() const;
};

/// Reads the files. What cannot be read or does not fit is an Error that names file and option.
AttendCall read_call(const AttendFlags& flags);

}  // namespace heed::command
