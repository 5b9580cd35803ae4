// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Whatever lies in a masked key or value, or in a query with nothing to attend to, changes no bit of any result or
// gradient, parameters' gradients included.
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>
#include <functional>

namespace heed::nn {
namespace {

using test::kInf, test::kNan;

using Forward = std::function<Tensor(const Tensor& queries, const Tensor& keys, const Tensor& values)>;

/// Output, then the gradients of queries, keys, values and all parameters.
std::vector<Tensor> run(Module& module, const Forward& forward, const std::array<Tensor, 3>& inputs) {
  module.zero_grad();
  std::vector<Tensor> leaves;
  leaves.reserve(inputs.size());
  for (const Tensor& x : inputs) leaves.push_back(x.clone().requires_grad_());
  const Tensor out = forward(leaves[0], leaves[1], leaves[2]);
  Generator generator(9);
  out.backward(normal(out.shape(), {}, out.dtype(), generator));
  std::vector<Tensor> results = {out.detach()};
  for (const Tensor& leaf : leaves) results.push_back(leaf.grad());
  for (const Tensor& parameter : module.parameters()) results.push_back(parameter.grad());
  return results;
}

struct Masked {
  const char* name;
  Mask mask;
  Tensor dead;  ///< boolean (2, 5): keys no query may attend to
  Tensor idle;  ///< boolean (2, 3): queries that may attend to no key
};

std::vector<Masked> masks() {
  const Tensor per_batch = tensor({{false, false, false, true, true}, {true, true, true, true, true}});
  const Tensor per_query = tensor({{false, false, false, false, true}, {false, false, true, true, true}});
  const Tensor late = tensor({{false, false, false, true, true}, {false, false, false, true, true}});
  const Tensor holes = tensor({{true, false, false, true, false}, {false, true, false, false, true}});
  const Tensor second = tensor({{false, false, false}, {true, true, true}});
  const Tensor one = tensor({{false, false, false}, {true, false, false}});
  const Tensor none = zeros({2, 3}, boolean);
  return {
      {"a length per sequence", valid_lens({3, 0}), per_batch, second},
      {"a length per query", valid_lens({{1, 4, 2}, {0, 2, 1}}), per_query, one},
      {"causal", causal(Align::kTopLeft), late, none},
      {"a boolean mask", mask(logical_not(holes).reshape({2, 1, 5})), holes, none},
  };
}

/// The boolean mask of masks() for scores with heads.
Mask with_heads(const Masked& m) {
  return std::holds_alternative<Mask::Allowed>(m.mask.terms()[0])
             ? mask(logical_not(m.dead).reshape({2, 1, 1, 5}))
             : m.mask;
}

void expect_no_effect(Module& module, const std::function<Forward(const Masked&)>& forward, Dtype dtype) {
  Generator g(3);
  const std::array<Tensor, 3> clean = {normal({2, 3, 4}, {}, dtype, g), normal({2, 5, 4}, {}, dtype, g),
                                       normal({2, 5, 4}, {}, dtype, g)};
  for (const Masked& m : masks()) {
    const std::vector<Tensor> expected = run(module, forward(m), clean);
    for (double garbage : {0.0, kNan, kInf, -1e30}) {
      SCOPED_TRACE(std::string(m.name) + ", " + std::to_string(garbage));
      const auto poisoned = [&](const Tensor& x, const Tensor& rows) {
        return test::poisoned(x, rows.unsqueeze(-1), garbage);
      };
      const std::vector<Tensor> found =
          run(module, forward(m),
              {poisoned(clean[0], m.idle), poisoned(clean[1], m.dead), poisoned(clean[2], m.dead)});
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(test::same_bits(found[i], expected[i])) << "result " << i;
    }
    EXPECT_EQ(sum(abs(where(m.idle.unsqueeze(-1), expected[1], zeros({}, dtype)))).item(), 0);
    EXPECT_EQ(sum(abs(where(m.dead.unsqueeze(-1), expected[2], zeros({}, dtype)))).item(), 0);
    EXPECT_EQ(sum(abs(where(m.dead.unsqueeze(-1), expected[3], zeros({}, dtype)))).item(), 0);
  }
}

/// Queries without keys, and keys without queries: all there is is garbage, and every gradient finite.
void expect_finite_without_pairs(Module& module, const Forward& forward, Dtype dtype) {
  for (const auto& [Lq, Lk] : {std::pair(2, 0), std::pair(0, 2)}) {
    SCOPED_TRACE(testing::Message() << "Lq = " << Lq << ", Lk = " << Lk);
    const Tensor queries = full({1, Lq, 4}, kNan, dtype), keys = full({1, Lk, 4}, kNan, dtype);
    const std::vector<Tensor> found = run(module, forward, {queries, keys, keys});
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i].defined()) continue;
      for (double entry : found[i].to_vector()) EXPECT_TRUE(std::isfinite(entry)) << "result " << i;
    }
  }
}

class Poison : public testing::TestWithParam<Dtype> {
 protected:
  void SetUp() override { seed(5); }
};

TEST_P(Poison, MultiHeadAttention) {
  MultiHeadAttention module({.hidden = 4, .heads = 2, .bias = true, .dtype = GetParam()});
  expect_no_effect(
      module,
      [&](const Masked& m) -> Forward {
        return [&, mask = with_heads(m)](const auto& q, const auto& k, const auto& v) {
          return module(q, k, v, mask);
        };
      },
      GetParam());
}

TEST_P(Poison, MultiHeadAttentionOfOneTensorForKeysAndValues) {
  MultiHeadAttention module({.hidden = 4, .heads = 2, .dtype = GetParam()});
  expect_no_effect(
      module,
      [&](const Masked& m) -> Forward {
        // The values take part in the result, so that they too have a gradient.
        return [&, mask = with_heads(m), dead = m.dead](const auto& q, const auto& k, const auto& v) {
          return module(q, k, k, mask) + sum(where(dead.unsqueeze(-1), zeros({}, v.dtype()), v));
        };
      },
      GetParam());
}

TEST_P(Poison, AdditiveAttention) {
  AdditiveAttention module({.key_size = 4, .query_size = 4, .num_hiddens = 3, .dtype = GetParam()});
  expect_no_effect(
      module,
      [&](const Masked& m) -> Forward {
        return
            [&, mask = m.mask](const auto& q, const auto& k, const auto& v) { return module(q, k, v, mask); };
      },
      GetParam());
}

TEST_P(Poison, AttentionLayer) {
  AttentionLayer module({.d_k = 3, .d_input = 4, .dtype = GetParam()});
  expect_no_effect(
      module,
      [&](const Masked& m) -> Forward {
        return
            [&, mask = m.mask](const auto& q, const auto& k, const auto& v) { return module(q, k, v, mask); };
      },
      GetParam());
}

TEST_P(Poison, NoPairs) {
  MultiHeadAttention multi_head({.hidden = 4, .heads = 2, .bias = true, .dtype = GetParam()});
  AdditiveAttention additive({.key_size = 4, .query_size = 4, .num_hiddens = 3, .dtype = GetParam()});
  AttentionLayer layer({.d_k = 3, .d_input = 4, .dtype = GetParam()});
  const auto expect_finite = [](auto& module) {
    SCOPED_TRACE(module.type_name());
    expect_finite_without_pairs(
        module, [&](const auto& q, const auto& k, const auto& v) { return module(q, k, v); }, GetParam());
  };
  expect_finite(multi_head);
  expect_finite(additive);
  expect_finite(layer);
}

INSTANTIATE_TEST_SUITE_P(Types, Poison, testing::Values(f32, f64),
                         [](const auto& type) { return std::string(name(type.param)); });

TEST(AttendedNan, ReachesExactlyTheRowsThatLookAtIt) {
  MultiHeadAttention module({.hidden = 4, .heads = 2});
  const Tensor x = normal({1, 3, 4});
  const Tensor keys = where(tensor({false, true, false}).reshape({1, 3, 1}), full({}, kNan), x);
  const std::vector<double> y = module(x, keys, x, causal())[0].select(1, 0).to_vector();
  EXPECT_FALSE(std::isnan(y[0]));
  EXPECT_TRUE(std::isnan(y[1]) && std::isnan(y[2]));
}

}  // namespace
}  // namespace heed::nn
