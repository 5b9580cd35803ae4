// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One call of attend, as numbers and tensors: what forward, backward and weights on demand all start from.
#pragma once

#include "autograd/record.h"
#include "kernels/attention.h"

#include <heed/attend.h>

namespace heed::detail {

/// The tensors of a call in the shapes the user gave; undefined where there is none.
struct AttendOperands {
  Tensor queries = {}, keys = {}, values = {};
  Tensor bias = {};
  Tensor score_weights = {};  ///< (D)
  Tensor lengths = {};        ///< i64, (B, 1) or (B, Lq)
  Tensor allowed = {};        ///< boolean
};

/// Sizes and settings. `rank` is that of the user's tensors; B and H are 1 where they have none.
struct AttendSettings {
  std::int64_t rank = 0;
  std::int64_t B = 1, H = 1, Hkv = 1, Lq = 0, Lk = 0, D = 0, Dv = 0;
  Dtype dtype = Dtype::kF32;
  kernels::ScoreKind score = kernels::ScoreKind::kDot;
  double scale = 1;
  double softcap = 0;
  std::int64_t low = -kernels::MaskParams::kUnbounded, high = kernels::MaskParams::kUnbounded;
  kernels::AttentionDropout dropout;

  /// (Lq, last), (B, Lq, last) or (B, H, Lq, last), like the queries.
  Shape query_shape(std::int64_t last) const;
  /// The same without a last dim.
  Shape row_shape() const;
  Shape score_shape() const { return query_shape(Lk); }
};

/// A tensor of rank 2 to 4 as (B, H, rows, columns).
kernels::HeadedMatrix headed(const Tensor& x);
/// A tensor broadcast to `shape` (the scores'), likewise; no data if undefined.
kernels::HeadedMatrix headed_broadcast(const Tensor& x, const Shape& shape);

/// Pointers are valid while `operands` lives.
kernels::AttendProblem make_problem(const AttendSettings& settings, const AttendOperands& operands);

/// Operands kept for later, each guarded against changes in place.
class SavedOperands {
 public:
  explicit SavedOperands(const AttendOperands& operands)
      : queries_(operands.queries),
        keys_(operands.keys),
        values_(operands.values),
        bias_(operands.bias),
        score_weights_(operands.score_weights),
        lengths_(operands.lengths),
        allowed_(operands.allowed) {}

  AttendOperands operator()() const {
    return {queries_(), keys_(), values_(), bias_(), score_weights_(), lengths_(), allowed_()};
  }

 private:
  Saved queries_, keys_, values_, bias_, score_weights_, lengths_, allowed_;
};

}  // namespace heed::detail

namespace heed {

/// What weights on demand need of a call.
struct AttentionWeights::Call {
  detail::AttendSettings settings;
  detail::SavedOperands operands;
  Tensor log_sum_exp;
};

}  // namespace heed
