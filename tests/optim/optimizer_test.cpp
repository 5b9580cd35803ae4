// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What all optimisers do alike.
#include "support/errors.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <functional>

namespace heed::optim {
namespace {

using Make = std::function<std::unique_ptr<Optimizer>(std::vector<Tensor>)>;

struct Kind {
  const char* name;
  Make make;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kAll = {
      {"sgd", [](auto p) { return std::make_unique<SGD>(p, SGDOptions{.lr = 0.1}); }},
      {"momentum", [](auto p) { return std::make_unique<SGD>(p, SGDOptions{.lr = 0.05, .momentum = 0.9}); }},
      {"nesterov",
       [](auto p) {
         return std::make_unique<SGD>(p, SGDOptions{.lr = 0.05, .momentum = 0.9, .nesterov = true});
       }},
      {"adam", [](auto p) { return std::make_unique<Adam>(p, AdamOptions{.lr = 0.1}); }},
      {"amsgrad", [](auto p) { return std::make_unique<Adam>(p, AdamOptions{.lr = 0.1, .amsgrad = true}); }},
      {"adamw",
       [](auto p) { return std::make_unique<AdamW>(p, AdamWOptions{.lr = 0.1, .weight_decay = 1e-3}); }},
  };
  return kAll;
}

class EveryOptimizer : public testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOptimizer, testing::ValuesIn(kinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

/// sum (p - target)^2 with one steep and one flat direction.
Tensor bowl(const Tensor& p) {
  const Tensor distance = p - tensor({3, -2}, p.dtype());
  return sum(distance * distance * tensor({2, 0.5}, p.dtype()));
}

void descend(Optimizer& optimizer, const Tensor& p, int steps) {
  for (int i = 0; i < steps; ++i) {
    optimizer.zero_grad();
    bowl(p).backward();
    optimizer.step();
  }
}

TEST_P(EveryOptimizer, FindsTheBottomOfABowl) {
  for (Dtype dtype : {f32, f64}) {
    const Tensor p = tensor({-1, 4}, dtype).requires_grad_();
    const auto optimizer = GetParam().make({p});
    descend(*optimizer, p, 500);
    EXPECT_NEAR(p.at({0}), 3, 0.01);
    EXPECT_NEAR(p.at({1}), -2, 0.01);
    EXPECT_TRUE(p.requires_grad() && p.is_leaf());
  }
}

TEST_P(EveryOptimizer, LeavesParametersWithoutGradientAlone) {
  const Tensor a = ones({2}).requires_grad_(), b = ones({2}).requires_grad_();
  const auto optimizer = GetParam().make({a, b});
  sum(a).backward();
  optimizer->step();
  optimizer->step();
  EXPECT_TRUE(identical(b.detach(), ones({2})));
  EXPECT_LT(a.at({0}), 1);
  for (const auto& [name, tensor] : optimizer->state()) EXPECT_EQ(name.substr(0, 2), "0.");
}

TEST_P(EveryOptimizer, TreatsEachElementAlikeWhateverTheLayout) {
  const Tensor flat = arange(12).reshape({3, 4}).requires_grad_();
  const Tensor turned =
      arange(12).reshape({3, 4}).transpose(0, 1).contiguous().transpose(0, 1).requires_grad_();
  ASSERT_FALSE(turned.is_contiguous());
  const auto first = GetParam().make({flat}), second = GetParam().make({turned});
  for (int i = 0; i < 3; ++i) {
    const Tensor grad = normal({3, 4});
    flat.set_grad(grad.transpose(0, 1).contiguous().transpose(0, 1));
    turned.set_grad(grad);
    first->step();
    second->step();
  }
  EXPECT_TRUE(identical(flat.detach(), turned.detach().contiguous()));
}

TEST_P(EveryOptimizer, GivesTheSameBitsForAnyNumberOfThreads) {
  const Tensor start = normal({200'001}), grad = normal({200'001});
  const auto after_two_steps = [&] {
    const Tensor p = start.clone().requires_grad_();
    const auto optimizer = GetParam().make({p});
    p.set_grad(grad);
    optimizer->step();
    optimizer->step();
    return p.detach();
  };
  EXPECT_TRUE(
      test::same_bits(test::with_threads(3, after_two_steps), test::with_threads(1, after_two_steps)));
}

TEST_P(EveryOptimizer, ContinuesFromASavedState) {
  const Tensor p = tensor({-1, 4}, f64).requires_grad_();
  const auto optimizer = GetParam().make({p});
  descend(*optimizer, p, 5);
  const Tensor q = p.detach().clone().requires_grad_();
  const auto resumed = GetParam().make({q});
  resumed->load_state(optimizer->state());
  descend(*optimizer, p, 5);
  descend(*resumed, q, 5);
  EXPECT_TRUE(identical(p.detach(), q.detach()));
}

TEST_P(EveryOptimizer, ChangesInPlaceSoThatAnOldGraphIsRefused) {
  const Tensor p = tensor({-1, 4}).requires_grad_();
  const auto optimizer = GetParam().make({p});
  const Tensor stale = sum(p * p);
  bowl(p).backward();
  const float* address = p.data<float>();
  optimizer->step();
  EXPECT_EQ(p.data<float>(), address);
  EXPECT_THROW(stale.backward(), Error);
}

TEST_P(EveryOptimizer, TakesZeroGradAndEmptyTensors) {
  const Tensor p = zeros({0, 3}).requires_grad_(), q = ones({1}).requires_grad_();
  const auto optimizer = GetParam().make({p, q});
  p.set_grad(zeros({0, 3}));
  q.set_grad(ones({1}));
  optimizer->step();
  optimizer->zero_grad();
  EXPECT_FALSE(q.grad().defined());
}

TEST(Optimizer, LearningRateCanBeChanged) {
  const Tensor p = zeros({1}).requires_grad_();
  SGD sgd({p}, {.lr = 1});
  p.set_grad(ones({1}));
  sgd.step();
  sgd.set_lr(0.25);
  EXPECT_EQ(sgd.lr(), 0.25);
  sgd.step();
  EXPECT_EQ(p.item(), -1.25);
}

TEST(Optimizer, WeightDecayWithoutMomentumPullsTowardsZero) {
  const Tensor p = full({1}, 2, f64).requires_grad_();
  SGD sgd({p}, {.lr = 0.5, .weight_decay = 0.25});
  p.set_grad(ones({1}, f64));
  sgd.step();
  EXPECT_EQ(p.item(), 2 - 0.5 * (1 + 0.25 * 2));
}

TEST(Optimizer, StateCarriesTheNamesOfPyTorch) {
  const Tensor a = zeros({2}).requires_grad_(), b = zeros({3}).requires_grad_();
  Adam adam({a, b}, {.amsgrad = true});
  EXPECT_TRUE(adam.state().empty());
  b.set_grad(ones({3}));
  adam.step();
  adam.step();
  std::vector<std::string> names;
  for (const auto& [name, tensor] : adam.state()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"1.exp_avg", "1.exp_avg_sq", "1.max_exp_avg_sq", "1.step"}));
  EXPECT_EQ(adam.state().at("1.step").item<std::int64_t>(), 2);
}

TEST(Optimizer, AStateThatDoesNotFitIsListedAndChangesNothing) {
  const Tensor p = zeros({2}).requires_grad_();
  Adam adam({p});
  p.set_grad(ones({2}));
  adam.step();
  Optimizer::State state = adam.state();
  state["0.exp_avg"] = zeros({3});
  state.erase("0.exp_avg_sq");
  state["1.step"] = zeros({}, i64);
  test::expect_error(
      [&] { adam.load_state(state); },
      "Adam: load_state: the state does not fit; missing: 0.exp_avg_sq; unexpected: 1.step; of wrong "
      "shape or "
      "type: 0.exp_avg (expected (2,), found f32 (3,))");
  EXPECT_EQ(adam.state().at("0.step").item<std::int64_t>(), 1);
  test::expect_error([&] { SGD({p}).load_state(state); },
                     "SGD: load_state: the state does not fit; unexpected: 0.exp_avg, 0.step, 1.step");
}

TEST(Optimizer, ALoadedStateIsACopy) {
  const Tensor p = zeros({2}).requires_grad_();
  SGD first({p}, {.momentum = 0.9}), second({p}, {.momentum = 0.9});
  p.set_grad(ones({2}));
  first.step();
  second.load_state(first.state());
  first.step();
  EXPECT_TRUE(identical(second.state().at("0.momentum_buffer"), ones({2})));
}

TEST(Optimizer, WrongArgumentsAreErrors) {
  const Tensor p = zeros({2}).requires_grad_();
  using test::kInf, test::kNan;
  const auto sgd = [&](const SGDOptions& options) { return [=] { SGD({p}, options); }; };
  const auto adam = [&](const AdamOptions& options) { return [=] { Adam({p}, options); }; };
  const auto adamw = [&](const AdamWOptions& options) { return [=] { AdamW({p}, options); }; };
  test::expect_error(sgd({.lr = -1}), "SGD: lr must be finite and at least 0, found -1");
  test::expect_error(sgd({.lr = kNan}), "SGD: lr must be finite and at least 0, found nan");
  test::expect_error(sgd({.momentum = -0.5}), "SGD: momentum must be finite and at least 0, found -0.5");
  test::expect_error(sgd({.dampening = kNan}), "SGD: dampening must be finite, found nan");
  test::expect_error(sgd({.weight_decay = kInf}),
                     "SGD: weight_decay must be finite and at least 0, found inf");
  test::expect_error(
      sgd({.nesterov = true}),
      "SGD: nesterov needs momentum above 0 and no dampening, found momentum = 0, dampening = 0");
  test::expect_error(
      sgd({.momentum = 0.9, .dampening = 0.1, .nesterov = true}),
      "SGD: nesterov needs momentum above 0 and no dampening, found momentum = 0.9, dampening = 0.1");
  test::expect_error(adam({.lr = kInf}), "Adam: lr must be finite and at least 0, found inf");
  test::expect_error(adam({.beta1 = 1}), "Adam: beta1 must be at least 0 and below 1, found 1");
  test::expect_error(adam({.beta2 = -0.1}), "Adam: beta2 must be at least 0 and below 1, found -0.1");
  test::expect_error(adam({.epsilon = -1}), "Adam: epsilon must be finite and at least 0, found -1");
  test::expect_error(adamw({.weight_decay = -1}),
                     "AdamW: weight_decay must be finite and at least 0, found -1");
  test::expect_error([] { SGD({}); }, "SGD: the list of parameters is empty");
  test::expect_error([&] { SGD({p, p}); }, "SGD: parameter 1 is the same tensor as parameter 0");
  test::expect_error([&] { SGD({p * 2}); },
                     "SGD: parameter 0 is the result of an operation; only leaves can be optimised");
  test::expect_error(
      [&] {
        AdamW({p, {}});
      },
      "AdamW: parameter 1 is undefined (a default-constructed Tensor)");
  test::expect_error([&] { AdamW({ones({2}, i64)}); }, "AdamW: parameter 0 must be f32 or f64, found i64");
  test::expect_error([&] { SGD({p}).set_lr(-1); }, "SGD: lr must be finite and at least 0, found -1");
}

}  // namespace
}  // namespace heed::optim
