// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How the forward is cut: every row of every query block in one part, in order, the parts ever smaller.
#include "kernels/cpu/attention/forward_cut.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

using namespace kernels;
using namespace kernels::cpu;

AttendProblem problem(std::int64_t heads, std::int64_t Lq, ScoreKind score, Dtype dtype) {
  AttendProblem p{};
  p.B = 1;
  p.H = p.Hkv = heads;
  p.Lq = Lq;
  p.Lk = 100;
  p.D = p.Dv = 32;
  p.score = score;
  p.dtype = dtype;
  return p;
}

void expect_covered(const ForwardCut& cut, std::int64_t heads) {
  std::int64_t block = 0, end = 0, last_size = cut.rows;
  for (std::int64_t task = 0; task < cut.tasks; ++task) {
    const ForwardCut::Part part = cut.part(task);
    if (end == cut.rows) {
      ++block;
      end = 0;
    }
    EXPECT_EQ(part.block, block);
    EXPECT_EQ(part.begin, end);
    EXPECT_LE(part.end - part.begin, last_size);
    EXPECT_GT(part.end, part.begin);
    last_size = part.end - part.begin;
    end = part.end;
  }
  EXPECT_EQ(block, heads * cut.blocks - 1);
  EXPECT_EQ(end, cut.rows);
}

TEST(ForwardCut, PartsCoverEveryBlockInOrder) {
  for (const ScoreKind score : {ScoreKind::kDot, ScoreKind::kAdditive}) {
    for (const Dtype dtype : {Dtype::kF32, Dtype::kF64}) {
      for (const std::int64_t heads : {1, 2, 7, 32}) {
        for (const std::int64_t Lq : {1, 64, 65, 130, 1000}) {
          for (const std::int64_t threads : {1, 2, 3, 4, 16, 200}) {
            SCOPED_TRACE(testing::Message() << heads << " heads of " << Lq << ", " << threads << " threads");
            const ForwardCut cut(problem(heads, Lq, score, dtype), active_tier(), threads);
            EXPECT_FALSE(cut.by_chunk);
            expect_covered(cut, heads);
          }
        }
      }
    }
  }
}

TEST(ForwardCut, OneThreadHasWholeBlocks) {
  const ForwardCut cut(problem(8, 512, ScoreKind::kDot, Dtype::kF32), active_tier(), 1);
  EXPECT_EQ(cut.tasks, cut.whole);
}

TEST(ForwardCut, ThreadsHaveSmallPartsToEndWith) {
  const ForwardCut cut(problem(8, 512, ScoreKind::kDot, Dtype::kF32), active_tier(), 16);
  const ForwardCut::Part last = cut.part(cut.tasks - 1);
  EXPECT_EQ(last.end - last.begin, cut.rows / 4);
  EXPECT_EQ(cut.whole, 8 * cut.blocks - 16);
}

}  // namespace
}  // namespace heed::test
