// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Masks say which (query, key) pairs take part: true = attend. They compose by AND:
//   valid_lens({3, 2}) & causal()
// A masked pair is skipped, so whatever lies there (NaN included) changes nothing.
#pragma once

#include <heed/export.h>
#include <heed/tensor.h>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace heed {

/// Which corner the diagonal of a non-square (Lq, Lk) matrix starts from: query 0 beside key 0, or the last query
/// beside the last key.
enum class Align : std::uint8_t { kTopLeft, kBottomRight };

struct WindowOptions {
  /// How many keys before and after the diagonal take part; no number means all of them.
  std::optional<std::int64_t> left = std::nullopt;
  std::optional<std::int64_t> right = std::nullopt;
  std::optional<Align> align = std::nullopt;
};

/// Lets everything through until composed with something that does not.
class HEED_API Mask {
 public:
  struct ValidLens {
    Tensor lengths;
  };
  struct Allowed {
    Tensor allowed;
  };
  using Term = std::variant<ValidLens, WindowOptions, Allowed>;

  Mask() = default;
  explicit Mask(Term term) : terms_{std::move(term)} {}

  bool empty() const noexcept { return terms_.empty(); }
  const std::vector<Term>& terms() const noexcept { return terms_; }

  friend HEED_API Mask operator&(const Mask& a, const Mask& b);

 private:
  std::vector<Term> terms_;
};

/// The first n keys take part: (B,), n for all queries of a batch, or (B, Lq), one n per query; each in 0..Lk.
HEED_API Mask valid_lens(const Tensor& lengths);
HEED_API Mask valid_lens(const NestedNumbers& lengths);

/// Keys up to the query's own position. With Lq != Lk the corner must be said; leaving it out is an Error.
HEED_API Mask causal();
HEED_API Mask causal(Align align);

/// Keys near the query's own position: left = 2, right = 0 is the query's and the two before. Corner as for causal.
HEED_API Mask window(const WindowOptions& options);

/// Any boolean tensor that broadcasts to the scores: (Lq, Lk), (B, Lq, Lk) or (B, H, Lq, Lk) like the queries.
HEED_API Mask mask(const Tensor& allowed);

}  // namespace heed
