// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Who takes part at all: the engine's answer against the reference's, pair by pair.
#include "kernels/cpu/attention/engine.h"
#include "kernels/reference/attention.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

namespace heed::test {
namespace {

using kernels::AttendProblem;
using kernels::HeadedMatrix;

struct Rows {
  std::vector<char> queries, keys;
  bool operator==(const Rows&) const = default;
};

Rows rows_by(const AttendProblem& p, void (*attended)(const kernels::Attended&) noexcept) {
  const auto q = static_cast<std::size_t>(p.B * p.H * p.Lq), k = static_cast<std::size_t>(p.B * p.Hkv * p.Lk);
  const auto queries = std::make_unique<bool[]>(q), keys = std::make_unique<bool[]>(k);
  attended({p, queries.get(), keys.get()});
  return {{queries.get(), queries.get() + q}, {keys.get(), keys.get() + k}};
}

/// Strides of a (B, H, Lq, Lk) tensor, of which some are 0.
HeadedMatrix matrix(void* data, const Tensor& x) {
  return {data, x.strides()[0], x.strides()[1], x.strides()[2], x.strides()[3]};
}

void expect_same(const AttendProblem& p) {
  const Rows expected = rows_by(p, kernels::reference::attended);
  for (const int threads : {1, 3}) {
    const Rows found = with_threads(threads, [&] { return rows_by(p, kernels::cpu::attended); });
    EXPECT_TRUE(found == expected) << "low " << p.mask.low << " high " << p.mask.high << " lens "
                                   << (p.mask.valid_lens != nullptr) << " allowed "
                                   << (p.mask.allowed.data != nullptr) << " bias " << (p.bias.data != nullptr)
                                   << " Lq " << p.Lq << " Lk " << p.Lk;
  }
}

TEST(AttendedRows, AreTheReferences) {
  constexpr std::int64_t kAll = kernels::MaskParams::kUnbounded;
  for (const auto& [Lq, Lk] :
       {std::pair<std::int64_t, std::int64_t>{7, 5}, {40, 70}, {1, 33}, {33, 1}, {3, 0}, {0, 3}}) {
    AttendProblem p;
    p.B = 3;
    p.H = 4;
    p.Hkv = 2;
    p.Lq = Lq;
    p.Lk = Lk;
    const std::vector<std::int64_t> lens = {Lk / 2, 0, 3, 1, Lk, 2, Lk / 3};
    // Few pairs are allowed, so that some rows have none. By head, or for all heads; rows side by side, or columns.
    const Shape whole = {p.B, p.H, Lq, Lk};
    const std::vector<Tensor> numbers = {random_in({0, 1}, whole, f32, 1),
                                         random_in({0, 1}, {1, 1, Lq, Lk}, f32, 2),
                                         random_in({0, 1}, {p.B, p.H, Lk, Lq}, f32, 3)};
    const auto laid_out = [&](const Tensor& x) {
      return x.shape() == whole || x.size(1) == 1 ? x.expand(whole) : x.transpose(2, 3);
    };
    for (const auto& [low, high] : {std::pair{-kAll, kAll},
                                    {-kAll, std::int64_t{0}},
                                    {std::int64_t{2}, kAll},
                                    {std::int64_t{-3}, std::int64_t{1}}}) {
      p.mask.low = low;
      p.mask.high = high;
      for (const bool by_row : {false, true}) {
        p.mask.valid_lens = nullptr;
        expect_same(p);
        p.mask.valid_lens = lens.data();
        p.mask.lens_batch_stride = by_row ? 0 : 1;
        p.mask.lens_row_stride = by_row && Lq <= 7 ? 1 : 0;
        expect_same(p);
        for (const Tensor& x : numbers) {
          const Tensor allowed = laid_out(x < 0.04),
                       bias = laid_out(where(x < 0.9, full({1}, -kInf), zeros({1})));
          p.mask.allowed = matrix(const_cast<bool*>(allowed.data<bool>()), allowed);
          expect_same(p);
          p.bias = matrix(const_cast<float*>(bias.data<float>()), bias);
          expect_same(p);
          p.mask.allowed = {};
          expect_same(p);
          p.bias = {};
        }
      }
    }
  }
}

}  // namespace
}  // namespace heed::test
