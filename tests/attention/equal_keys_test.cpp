// Equal keys get equal weights, to the bit, however large the scores and wherever the keys lie.
#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

TEST(EqualKeys, GetEqualWeights) {
  Generator g(61);
  for (const Dtype dtype : {f32, f64}) {
    for (const std::int64_t Lq : {5, 20}) {  // few rows and tiles
      for (const std::int64_t Lk : {2, 3, 8, 9, 37, 130, 300}) {
        const Tensor q = normal({Lq, 8}, {.stddev = 30}, dtype, g);
        const Tensor k = normal({1, 8}, {.stddev = 30}, dtype, g).expand({Lk, 8});
        for (const Score& score : {Score(Dot{}), Score(ScaledDot{}), Score(Gaussian{.bandwidth = 30.0})}) {
          const Tensor weights = attend(q, k, eye(Lk, dtype), {.score = score});
          EXPECT_TRUE(identical(weights, weights.select(1, 0).unsqueeze(1).expand({Lq, Lk}).clone()))
              << "Lq " << Lq << " Lk " << Lk << "\n"
              << weights;
        }
      }
    }
  }
}

}  // namespace
}  // namespace heed::test
