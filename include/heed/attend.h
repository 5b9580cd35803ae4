// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Attention pooling, the one operator everything here is made of:  f(q) = sum_i softmax_i( a(q, k_i) ) v_i
#pragma once

#include <heed/export.h>
#include <heed/mask.h>
#include <heed/random.h>
#include <heed/score.h>
#include <heed/tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heed {

struct AttendOptions {
  Score score = ScaledDot{};
  Mask mask = {};
  /// Added to the scores; broadcastable to them; carries a gradient. -inf masks a pair, any finite number does not.
  Tensor bias = {};
  /// Scores become c tanh(score / c) before bias and mask; c > 0.
  std::optional<double> softcap = std::nullopt;
  /// Probability with which a weight is dropped (after the softmax; the rest is scaled up). 0 outside training.
  double dropout = 0;
  /// Where dropout's seed comes from; the thread's default generator if not given.
  Generator* generator = nullptr;
};

/// Pools values by the scores of queries and keys.
///   queries (Lq, D)         keys (Lk, D)          values (Lk, Dv)          -> (Lq, Dv)
///           (B, Lq, D)           (B, Lk, D)              (B, Lk, Dv)       -> (B, Lq, Dv)
///           (B, H, Lq, D)        (B, Hkv, Lk, D)         (B, Hkv, Lk, Dv)  -> (B, H, Lq, Dv),  H a multiple of Hkv
/// f32 or f64, any strides. A fully masked row gives 0 and passes no gradient. Gradients reach queries,
/// keys, values, bias and the score's parameters. Memory is linear in Lq + Lk; the same bits for any thread count.
HEED_API Tensor attend(const Tensor& queries, const Tensor& keys, const Tensor& values,
                       const AttendOptions& options = {});

/// Which part of the weights to compute; empty lists mean all.
struct WeightsPart {
  std::vector<std::int64_t> heads = {};
  std::vector<std::int64_t> rows = {};
};

/// The weights of one call of attend, computed when asked for and only where asked for.
class HEED_API AttentionWeights {
 public:
  struct Call;

  AttentionWeights() = default;
  explicit AttentionWeights(std::shared_ptr<const Call> call) : call_(std::move(call)) {}

  bool available() const noexcept { return call_ != nullptr; }

  /// softmax of the scores, before dropout, off the tape: (Lq, Lk), (B, Lq, Lk) or (B, H, Lq, Lk) like the queries,
  /// H and Lq reduced to the chosen ones. An Error if queries or keys were changed in place since the call.
  Tensor operator()(const WeightsPart& part = {}) const;

 private:
  std::shared_ptr<const Call> call_;
};

struct AttendResult {
  Tensor output;
  /// log sum_j exp(score_j) per row: (Lq,), (B, Lq) or (B, H, Lq); -inf for an empty row. Carries a gradient, so that
  /// results over parts of the keys can be merged exactly.
  Tensor log_sum_exp;
  AttentionWeights weights;
};

/// attend, with everything else it knows.
HEED_API AttendResult attend_with_weights(const Tensor& queries, const Tensor& keys, const Tensor& values,
                                          const AttendOptions& options = {});

struct KnownResult {
  Tensor output;
  Tensor log_sum_exp;
};
/// A call whose results are known, because it ran before or elsewhere: it is put on the tape as if it had run now, and only
/// its gradients are computed. For frameworks that keep their own tape. With dropout, the generator must stand where it
/// stood then.
HEED_API AttendResult attend_recorded(const Tensor& queries, const Tensor& keys, const Tensor& values,
                                      const AttendOptions& options, const KnownResult& known);

/// Scaled dot-product attention as the notes write it by hand: output and weights. With `dropout`, the weights that are
/// pooled are dropped; those returned are not.
struct OutputAndWeights {
  Tensor output;
  Tensor weights;
};
HEED_API OutputAndWeights attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    double dropout = 0);

}  // namespace heed
