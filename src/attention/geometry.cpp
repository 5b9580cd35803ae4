// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/geometry.h"

#include "core/check.h"

namespace heed::detail {

AttendSettings pair_geometry(const Tensor& queries, const Tensor& keys) {
  check_floating(queries, "attend", "queries");
  check_floating(keys, "attend", "keys");
  const std::int64_t rank = queries.rank();
  check(rank >= 2 && rank <= 4, "attend",
        "queries must have shape (Lq, D), (B, Lq, D) or (B, H, Lq, D), found {}", queries.shape());
  check(keys.rank() == rank, "attend", "keys must have as many dims as queries {}, found {}", queries.shape(),
        keys.shape());
  check(keys.dtype() == queries.dtype(), "attend", "keys must be {} like queries, found {}", queries.dtype(),
        keys.dtype());
  AttendSettings s;
  s.rank = rank;
  s.dtype = queries.dtype();
  s.Lq = queries.size(-2);
  s.Lk = keys.size(-2);
  if (rank >= 3) {
    s.B = queries.size(0);
    check(keys.size(0) == s.B, "attend", "keys must have the queries' batch size {}, found {}", s.B,
          keys.shape());
  }
  if (rank == 4) {
    s.H = queries.size(1);
    s.Hkv = keys.size(1);
    check(s.H == s.Hkv || (s.Hkv > 0 && s.H % s.Hkv == 0), "attend",
          "heads of queries {} must be a multiple of those of keys {}", queries.shape(), keys.shape());
  }
  return s;
}

AttendSettings call_geometry(const Tensor& queries, const Tensor& keys, const Tensor& values) {
  AttendSettings s = pair_geometry(queries, keys);
  check_floating(values, "attend", "values");
  check(values.dtype() == s.dtype, "attend", "values must be {} like queries, found {}", s.dtype,
        values.dtype());
  bool same_lead = values.rank() == s.rank;
  for (std::int64_t dim = 0; same_lead && dim < s.rank - 1; ++dim)
    same_lead = values.size(dim) == keys.size(dim);
  check(same_lead, "attend", "values must match keys {} in all but the last dim, found {}", keys.shape(),
        values.shape());
  s.Dv = values.size(-1);
  return s;
}

}  // namespace heed::detail
