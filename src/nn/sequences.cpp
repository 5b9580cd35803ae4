// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "nn/sequences.h"

#include "core/check.h"

namespace heed::nn {

void check_sequences(std::string_view module, const Tensor& queries, const Tensor& keys,
                     const Tensor& values) {
  check_floating(queries, module, "queries");
  check_dtype(keys, queries.dtype(), module, "keys");
  check_dtype(values, queries.dtype(), module, "values");
  const std::int64_t rank = queries.rank();
  check(rank == 2 || rank == 3, module, "queries must be (B, Lq, size) or (Lq, size), found {}",
        queries.shape());
  check(keys.rank() == rank && (rank == 2 || keys.size(0) == queries.size(0)), module,
        "keys must have the rank and batch size of queries {}, found {}", queries.shape(), keys.shape());
  bool fits = values.rank() == rank;
  for (std::int64_t dim = 0; fits && dim < rank - 1; ++dim) fits = values.size(dim) == keys.size(dim);
  check(fits, module, "values must match keys {} in all but the last dimension, found {}", keys.shape(),
        values.shape());
}

void check_width(std::string_view module, const Tensor& x, std::string_view argument, std::int64_t expected,
                 std::string_view name) {
  check(x.rank() >= 1 && x.size(-1) == expected, module, "{} must be (..., {}) with {} = {}, found {}",
        argument, name, name, expected, x.shape());
}

void check_forwarded(std::string_view module, bool forwarded) {
  check(forwarded, module, "attention_weights: there was no forward yet; call the module first");
}

}  // namespace heed::nn
