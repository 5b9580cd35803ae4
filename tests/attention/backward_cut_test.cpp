// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How the backward is cut: every pair of a query block and a key block in one piece of one task, in order.
#include "kernels/cpu/attention/backward_cut.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

using namespace kernels;
using namespace kernels::cpu;

AttendProblem problem(std::int64_t Lq, std::int64_t Lk, std::int64_t group, ScoreKind score) {
  AttendProblem p{};
  p.B = p.Hkv = 1;
  p.H = group;
  p.Lq = Lq;
  p.Lk = Lk;
  p.D = p.Dv = 32;
  p.score = score;
  p.dtype = Dtype::kF32;
  return p;
}

/// The pieces of one task begin where those left of them and above them end, and miss nothing.
void expect_covered(const BackwardCut& cut, const BackwardPieces& pieces, std::int64_t chunk,
                    std::int64_t span) {
  const std::int64_t rows = cut.rows(span), blocks = cut.blocks(chunk);
  const auto piece = [&](std::int64_t row, std::int64_t column) {
    return pieces.piece(cut, chunk, span, row * pieces.columns + column);
  };
  std::int64_t row_end = 0;
  for (std::int64_t row = 0; row < pieces.rows; ++row) {
    std::int64_t block_end = 0;
    for (std::int64_t column = 0; column < pieces.columns; ++column) {
      EXPECT_EQ(piece(row, column).row_begin, row_end);
      EXPECT_EQ(piece(row, column).block_begin, block_end);
      block_end = std::min(blocks, piece(row, column).block_end);
    }
    EXPECT_EQ(block_end, blocks);
    row_end = std::min(rows, piece(row, 0).row_end);
  }
  EXPECT_EQ(row_end, rows);
  EXPECT_LE(rows, cut.most_rows());
  EXPECT_LE(blocks, cut.most_blocks());
}

TEST(BackwardCut, PiecesCoverEveryTaskInOrder) {
  for (const ScoreKind score : {ScoreKind::kDot, ScoreKind::kAdditive}) {
    for (const std::int64_t Lq : {1, 64, 65, 300, 520, 5000}) {
      for (const std::int64_t Lk : {1, 192, 193, 512, 1100, 9000}) {
        const AttendProblem p = problem(Lq, Lk, 3, score);
        const BackwardCut cut(p, active_tier());
        EXPECT_EQ(cut.chunks.end(cut.chunks.count - 1), Lk);
        EXPECT_EQ(cut.spans.end(cut.spans.count - 1), Lq);
        for (const std::int64_t threads : {1, 2, 16, 200}) {
          SCOPED_TRACE(testing::Message() << Lq << " x " << Lk << ", " << threads << " threads");
          const BackwardPieces pieces(p, cut, 1, threads);
          for (std::int64_t n = 0; n < cut.tasks(); ++n)
            expect_covered(cut, pieces, n / cut.spans.count, n % cut.spans.count);
        }
      }
    }
  }
}

TEST(BackwardCut, DoesNotDependOnThreadsButForItsPieces) {
  const AttendProblem p = problem(512, 512, 1, ScoreKind::kDot), small = problem(65, 100, 1, ScoreKind::kDot);
  const BackwardCut cut(p, active_tier());
  EXPECT_EQ(cut.tasks(), 2);
  EXPECT_EQ(BackwardPieces(p, cut, 8, 1).count(), 1);
  // A task for each thread would leave the slowest the last.
  EXPECT_EQ(BackwardPieces(p, cut, 8, 16).columns, 3);
  // Queries are not packed anew without need.
  EXPECT_EQ(BackwardPieces(p, cut, 16, 16).columns, 1);
  EXPECT_GT(BackwardPieces(p, cut, 16, 16).rows, 1);
  // Microseconds of work stay together.
  EXPECT_EQ(BackwardPieces(small, BackwardCut(small, active_tier()), 1, 16).count(), 1);
}

}  // namespace
}  // namespace heed::test
