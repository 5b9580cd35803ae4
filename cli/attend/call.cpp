// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attend/call.h"

#include "attend/operands.h"

#include <heed/ops.h>

namespace heed::command {
namespace {

/// A part of one dimension; where the tensor is the same all along it, all of the tensor.
Tensor part(const Tensor& x, std::int64_t dim, std::int64_t first, std::int64_t count) {
  if (!x.defined() || x.size(dim) == 1) return x;
  return x.slice(dim, {.start = first, .stop = first + count});
}

}  // namespace

AttendOptions AttendCall::options() const {
  AttendOptions options{.score = score, .bias = bias, .softcap = softcap};
  if (lengths.defined()) options.mask = options.mask & valid_lens(lengths);
  for (const WindowOptions& band : bands) options.mask = options.mask & heed::window(band);
  if (allowed.defined()) options.mask = options.mask & heed::mask(allowed);
  return options;
}

AttendCall AttendCall::batch(std::int64_t index) const {
  AttendCall call = *this;
  if (queries.rank() == 2) return call;
  for (Tensor* x : {&call.queries, &call.keys, &call.values, &call.lengths}) *x = part(*x, 0, index, 1);
  // Both broadcast, and may have no dimension of batches.
  for (Tensor* x : {&call.allowed, &call.bias}) {
    if (x->defined() && x->rank() == queries.rank()) *x = part(*x, 0, index, 1);
  }
  return call;
}

std::int64_t AttendCall::diagonal() const {
  const std::optional<Align> align = bands.front().align;
  return align && *align == Align::kBottomRight ? keys.size(-2) - rows() : 0;
}

bool AttendCall::has_parts() const {
  if (bands.empty()) return true;
  const auto [left, right, align] = bands.front();
  return (!right || diagonal() + *right >= 0) && (!left || keys.size(-2) - rows() - diagonal() + *left >= 0);
}

AttendCall AttendCall::some_rows(std::int64_t first, std::int64_t count) const {
  AttendCall call = *this;
  if (!bands.empty()) {
    // No edge is negative if the right one is counted from the top left and the left one from the bottom right.
    const WindowOptions& whole = bands.front();
    const std::int64_t after = keys.size(-2) - count - first - diagonal();
    call.bands.clear();
    if (whole.left) call.bands.push_back({.left = *whole.left + after, .align = Align::kBottomRight});
    if (whole.right)
      call.bands.push_back({.right = *whole.right + diagonal() + first, .align = Align::kTopLeft});
  }
  call.queries = queries.slice(-2, {.start = first, .stop = first + count});
  if (lengths.defined() && lengths.rank() == 2) call.lengths = part(lengths, 1, first, count);
  for (Tensor* x : {&call.allowed, &call.bias}) {
    if (x->defined() && x->rank() >= 2) *x = part(*x, -2, first, count);
  }
  return call;
}

AttendCall read_call(const AttendFlags& flags) {
  AttendCall call{.queries = load_floats(flags.queries, flags.csv),
                  .keys = load_floats(flags.keys, flags.csv),
                  .values = load_floats(flags.values, flags.csv),
                  .softcap = flags.softcap};
  const Dtype dtype = promote(promote(call.queries.dtype(), call.keys.dtype()), call.values.dtype());
  for (Tensor* x : {&call.queries, &call.keys, &call.values}) *x = as_rows(*x).to(dtype);
  call.score = read_score(flags, dtype);
  if (!flags.valid_lens.empty()) call.lengths = read_lengths(flags, call.queries);
  if (!flags.mask.empty()) call.allowed = load_mask(flags.mask, flags.csv);
  if (!flags.bias.empty()) call.bias = load_floats(flags.bias, flags.csv).to(dtype);
  const std::optional<WindowOptions> band = read_band(flags, call.rows(), call.keys.size(-2));
  if (band) call.bands = {*band};
  return call;
}

}  // namespace heed::command
