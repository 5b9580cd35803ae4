// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/in_place.h"

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/launch.h"

#include <cstddef>
#include <functional>
#include <utility>

namespace heed {
namespace {

/// First byte and one past the last byte that x's elements touch.
std::pair<const std::byte*, const std::byte*> reach(const Tensor& x) {
  const std::byte* data = static_cast<const std::byte*>(detail::raw(x));
  std::int64_t low = 0;
  std::int64_t high = 1;
  for (std::int64_t i = 0; i < x.rank(); ++i) {
    const std::int64_t last = (x.shape()[i] - 1) * x.strides()[i];
    (last < 0 ? low : high) += last;
  }
  const auto width = static_cast<std::int64_t>(size_of(x.dtype()));
  return {data + low * width, data + high * width};
}

bool same_elements(const Tensor& a, const Tensor& b) {
  return detail::raw(a) == detail::raw(b) && a.dtype() == b.dtype() && a.shape() == b.shape() &&
         a.strides() == b.strides();
}

}  // namespace

void check_target(const Tensor& x, std::string_view op) {
  check_in_place(x, op);
  for (std::int64_t i = 0; i < x.rank(); ++i) {
    check(x.shape()[i] <= 1 || x.strides()[i] != 0, op,
          "elements of an expanded tensor share memory (shape {}, strides {}); change a clone() instead",
          x.shape(), x.strides());
  }
}

void check_target(const Tensor& x, const Tensor& source, std::string_view op) {
  check_target(x, op);
  check_defined(source, op, "source");
  check(!needs_grad(source), op,
        "the tape would miss the gradient of source; detach() it, or do this in no_grad");
  const std::int64_t lead = x.rank() - source.rank();
  check(lead >= 0, op, "source {} does not broadcast to {}", source.shape(), x.shape());
  for (std::int64_t i = 0; i < source.rank(); ++i) {
    const std::int64_t size = source.shape()[i];
    check(size == 1 || size == x.shape()[lead + i], op, "source {} does not broadcast to {}", source.shape(),
          x.shape());
  }
}

Tensor safe_source(const Tensor& source, const Tensor& target) {
  if (source.numel() == 0 || target.numel() == 0 || same_elements(source, target)) return source;
  const auto [source_begin, source_end] = reach(source);
  const auto [target_begin, target_end] = reach(target);
  const std::less<const std::byte*> before;
  const bool apart = !before(source_begin, target_end) || !before(target_begin, source_end);
  return apart ? source : contiguous_copy(source);
}

}  // namespace heed
