// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which kernel a call of attend takes, and why not another.
#pragma once

#include <heed/attend.h>
#include <heed/export.h>
#include <heed/tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heed {

/// A way not taken, and the one reason.
struct Alternative {
  std::string kernel;
  std::string why_not;
};

struct Explanation {
  std::string kernel;  ///< "tiles" or "few rows"
  std::string tier;    ///< instruction set: "avx512", "avx2", "baseline"
  std::string how;     ///< one sentence on what it does with this score

  std::int64_t query_rows = 0;                         ///< queries of a block
  std::int64_t key_rows = 0;                           ///< keys of a block
  std::int64_t chunk_rows = 0;                         ///< keys after which partial results are merged
  std::int64_t forward_tasks = 0, backward_tasks = 0;  ///< pieces of work that are shared out

  double pairs = 0;  ///< (query, key) pairs by band; lengths and boolean masks not looked at
  double forward_flop = 0,
         backward_flop = 0;  ///< on those pairs; of the additive score a term is taken for 5
  std::size_t forward_bytes = 0, backward_bytes = 0;  ///< workspace, beside operands and results

  std::vector<Alternative> alternatives;

  HEED_API std::string text() const;
};

/// The call is checked as attend checks it, and not run. Takes no time and no memory: expanded tensors do for shapes.
HEED_API Explanation explain(const Tensor& queries, const Tensor& keys, const Tensor& values,
                             const AttendOptions& options = {});

}  // namespace heed
