// One query against a long cache of keys and values, four query heads to a key-value head: reading memory is all there is.
#include "cases.h"

#include <heed/heed.h>

namespace heed::bench {

void add_decode_cases(Cases& cases) {
  constexpr std::int64_t kHeads = 32, kSharedHeads = 8, kKeys = 32768, kSize = 128;
  cases.push_back({.name = "decode_d128_n32768",
                   .score = "scaled_dot",
                   .shape = "b1 h32/8 q1 n32768 d128",
                   .work = {Work::Unit::kBytes, 2.0 * kSharedHeads * kKeys * kSize * sizeof(float)},
                   .prepare = []() -> Run {
                     const Tensor queries = normal({1, kHeads, 1, kSize});
                     const Tensor keys = normal({1, kSharedHeads, kKeys, kSize});
                     const Tensor values = normal({1, kSharedHeads, kKeys, kSize});
                     return [=] {
                       const NoGrad guard;
                       attend(queries, keys, values);
                     };
                   }});
}

}  // namespace heed::bench
