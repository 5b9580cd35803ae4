// Which rows take part at all. A masked key may hold NaN; the kernels skip it, but a projection's weight gradient
// would multiply its zero gradient by that NaN. Such rows are therefore replaced by zeros before any projection.
#pragma once

#include <heed/attend.h>

namespace heed {

namespace detail {

/// boolean (B, H, Lq) and (B, Hkv, Lk), true where a row takes part in some pair; undefined when every row does.
struct AttendedRows {
  Tensor queries, keys;
};
AttendedRows attended_rows(const Tensor& queries, const Tensor& keys, const AttendOptions& options);

/// x (Lk, D), (B, Lk, D) or (B, Hkv, Lk, D) with rows outside `rows` replaced by 0, by selection and on the tape; x itself if `rows` is undefined.
Tensor keep_rows(const Tensor& x, const Tensor& rows);

}  // namespace detail

/// keys or values, (B, Lk, D) or (Lk, D), with the rows no query may attend to replaced by 0. `queries` has the same
/// rank; `heads` > 0: the mask is one for scores (B, heads, Lq, Lk).
Tensor zero_unattended(const Tensor& keys, const Tensor& queries, const Mask& mask, std::int64_t heads = 0);

}  // namespace heed
