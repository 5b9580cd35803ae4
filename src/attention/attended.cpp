#include "attention/attended.h"

#include "attention/call.h"
#include "attention/geometry.h"
#include "attention/mask.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"

#include <heed/ops.h>

namespace heed {
namespace detail {
namespace {

AttendedRows find_rows(const AttendSettings& settings, const AttendOperands& operands) {
  AttendedRows rows{zeros({settings.B, settings.H, settings.Lq}, boolean),
                    zeros({settings.B, settings.Hkv, settings.Lk}, boolean)};
  kernels::kernels_for(rows.keys).attended(
      {make_problem(settings, operands), rows.queries.mutable_data<bool>(), rows.keys.mutable_data<bool>()});
  return rows;
}

}  // namespace

AttendedRows attended_rows(const Tensor& queries, const Tensor& keys, const AttendOptions& options) {
  if (options.mask.empty() && !options.bias.defined()) return {};
  AttendSettings settings = pair_geometry(queries, keys);
  AttendOperands operands{.bias = options.bias.defined() ? options.bias.detach() : Tensor()};
  apply_mask(options.mask, settings, operands, "attend");
  return find_rows(settings, operands);
}

Tensor keep_rows(const Tensor& x, const Tensor& rows) {
  if (!rows.defined()) return x;
  Shape one_per_row = x.shape();
  one_per_row[x.rank() - 1] = 1;
  return where(rows.reshape(one_per_row), x, zeros({}, x.dtype()));
}

}  // namespace detail

Tensor zero_unattended(const Tensor& keys, const Tensor& queries, const Mask& mask, std::int64_t heads) {
  if (mask.empty()) return keys;
  detail::AttendSettings settings = detail::pair_geometry(queries, keys);
  if (heads > 0) {
    settings.rank = 4;
    settings.H = settings.Hkv = heads;
  }
  detail::AttendOperands operands;
  detail::apply_mask(mask, settings, operands, "attend");
  const Tensor rows = detail::find_rows(settings, operands).keys;
  return detail::keep_rows(keys, heads > 0 ? sum(rows, 1) > 0 : rows);
}

}  // namespace heed
