// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The tape: what it records, when it refuses, what it frees.
#include "support/errors.h"
#include "support/tensors.h"

#include <cmath>
#include <thread>

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

TEST(Tape, LeavesAndResults) {
  const Tensor x = ones({2}).requires_grad_();
  const Tensor y = x * 2;
  EXPECT_TRUE(x.is_leaf());
  EXPECT_TRUE(y.requires_grad());
  EXPECT_FALSE(y.is_leaf());
  EXPECT_TRUE(ones({2}).is_leaf());
  EXPECT_FALSE(x.grad().defined());
  sum(y).backward();
  EXPECT_EQ(x.grad().to_vector(), (Doubles{2, 2}));
  EXPECT_FALSE(y.grad().defined());
  x.requires_grad_(false);
  EXPECT_FALSE((x * 2).requires_grad());
}

TEST(Tape, GradientsAccumulate) {
  const Tensor x = tensor({1, 2}).requires_grad_();
  sum(x * 3).backward();
  sum(x * x).backward();
  EXPECT_EQ(x.grad().to_vector(), (Doubles{5, 7}));
  x.set_grad({});
  EXPECT_FALSE(x.grad().defined());
  sum(x).backward();
  EXPECT_EQ(x.grad().to_vector(), (Doubles{1, 1}));
}

TEST(Tape, AGradientThatDiesMayRunBackwardItself) {
  float old[2] = {1, 1};
  const Tensor x = ones({2}).requires_grad_();
  const Tensor other = sum(x * 10);
  x.set_grad(borrow(old, {2}, {.owner = std::shared_ptr<void>(old, [&](void*) { other.backward(); })}));
  sum(x * 2).backward();
  EXPECT_EQ(x.grad().to_vector(), (Doubles{13, 13}));
}

TEST(Tape, LeavesNeverShareAGradient) {
  const Tensor x = ones({2}).requires_grad_();
  const Tensor y = ones({2}).requires_grad_();
  const Tensor seed = ones({2});
  (x + y).backward(seed);
  no_grad([&] { x.grad().fill_(9); });
  EXPECT_EQ(y.grad().to_vector(), (Doubles{1, 1}));
  EXPECT_EQ(seed.to_vector(), (Doubles{1, 1}));
}

TEST(Tape, SharedSubgraphsAddUp) {
  const Tensor x = tensor({3}, f64).requires_grad_();
  const Tensor shared = x * x;
  sum(shared * shared + shared + x).backward();  // x^4 + x^2 + x
  EXPECT_EQ(x.grad().item(), 4 * 27 + 6 + 1);
}

TEST(Tape, ADiamondOfManyPathsIsWalkedOnce) {
  Tensor y = ones({1}, f64).requires_grad_();
  const Tensor x = y;
  for (int i = 0; i < 60; ++i) y = y + y;  // 2^60 paths
  y.backward();
  EXPECT_EQ(x.grad().item(), std::pow(2.0, 60));
}

TEST(Tape, BackwardFromALeaf) {
  const Tensor x = tensor(2).requires_grad_();
  x.backward();
  EXPECT_EQ(x.grad().item(), 1);
}

TEST(Tape, SeedsWeighTheOutputs) {
  const Tensor x = ones({3}).requires_grad_();
  (x * 2).backward(tensor({1, 0, -1}));
  EXPECT_EQ(x.grad().to_vector(), (Doubles{2, 0, -2}));
}

TEST(Tape, NoGradStopsRecordingInThisThreadAlone) {
  const Tensor x = ones({2}).requires_grad_();
  const NoGrad guard;
  EXPECT_FALSE(grad_enabled());
  EXPECT_FALSE((x * 2).requires_grad());
  bool elsewhere = false;
  std::thread([&] { elsewhere = (x * 2).requires_grad(); }).join();
  EXPECT_TRUE(elsewhere);
  { const NoGrad nested; }
  EXPECT_FALSE(grad_enabled());
}

TEST(Tape, DetachCutsTheGraphAndSharesMemory) {
  const Tensor x = ones({2}).requires_grad_();
  const Tensor y = (x * 2).detach();
  EXPECT_FALSE(y.requires_grad());
  sum(y * x).backward();
  EXPECT_EQ(x.grad().to_vector(), (Doubles{2, 2}));
  const Tensor z = zeros({2});
  z.detach().fill_(3);
  EXPECT_EQ(z.at({0}), 3);
}

TEST(Tape, AGraphIsFreedUnlessRetained) {
  const Tensor x = ones({2}).requires_grad_();
  const Tensor y = sum(exp(x));
  y.backward_retaining_graph();
  y.backward();
  EXPECT_NEAR(x.grad().at({0}), 2 * std::exp(1.0), 1e-5);
  expect_error(
      [&] { y.backward(); },
      "backward: the graph of 'sum' was freed by an earlier backward(); use backward_retaining_graph()");
}

TEST(Tape, BackwardFreesWhatWasSaved) {
  const Tensor x = ones({1000}).requires_grad_();
  const Tensor y = sum(exp(exp(x)));
  const std::size_t held = memory_use().current;
  y.backward();
  EXPECT_LE(memory_use().current, held - 2 * 4000 + 4000);  // two exps gone, one gradient come
}

TEST(Tape, Misuse) {
  const Tensor x = ones({2}).requires_grad_();
  const Tensor y = x * 2;
  expect_errors({
      {[&] { y.backward(); }, "backward: a tensor of shape (2,) needs a seed of the same shape"},
      {[&] { y.backward(ones({3})); }, "backward: seed has shape (3,), the tensor (2,)"},
      {[&] { y.backward(ones({2}, f64)); }, "backward: seed is f64, the tensor f32"},
      {[] { ones({1}).backward(); }, "backward: the tensor has no graph"},
      {[] { Tensor().backward(); }, "backward: tensor is undefined"},
      {[&] { y.requires_grad_(); }, "requires_grad_: only leaves can be switched"},
      {[&] { y.requires_grad_(false); }, "requires_grad_: only leaves can be switched"},
      {[] { ones({2}, i64).requires_grad_(); },
       "requires_grad_: only f32 and f64 carry gradients, found i64"},
      {[&] { x.set_grad(ones({3})); }, "set_grad: f32 (3,) for a tensor that is f32 (2,)"},
      {[&] { x.set_grad(ones({2}, f64)); }, "set_grad: f64 (2,) for a tensor that is f32 (2,)"},
  });
}

TEST(Tape, ChangesInPlaceAreRefusedOrNoticed) {
  const Tensor x = ones({2}).requires_grad_();
  expect_errors({
      {[&] { x.fill_(0); }, "fill_: would change a tensor that requires a gradient"},
      {[&] { (x * 2).add_(ones({2})); }, "add_: would change a tensor that requires a gradient"},
      {[&] { zeros({2}).copy_(x); }, "copy_: the tape would miss the gradient of source"},
      {[&] { zeros({2}).add_(x); }, "add_: the tape would miss the gradient of source"},
  });

  const Tensor factor = ones({2});
  const Tensor y = sum(x * factor);
  factor.fill_(5);
  expect_error([&] { y.backward(); },
               "backward: a tensor of shape (2,) that 'mul' recorded was changed in place since then");

  const Tensor saved = exp(x);
  no_grad([&] { saved.slice(0, {.stop = 1}).fill_(0); });  // through a view
  expect_error([&] { sum(saved).backward(); }, "that 'exp' recorded was changed in place");

  const Tensor z = sum(x + factor);  // add saves nothing
  factor.fill_(7);
  z.backward();
  EXPECT_EQ(x.grad().to_vector(), (Doubles{1, 1}));
}

TEST(Tape, ParametersMayChangeBetweenSteps) {
  const Tensor w = tensor({1.0}, f64).requires_grad_();
  for (int step = 0; step < 3; ++step) {
    w.set_grad({});
    sum(w * w).backward();
    no_grad([&] { w.add_(w.grad(), -0.25); });
  }
  EXPECT_EQ(w.item(), 0.125);
}

TEST(Tape, MixedTypesGiveEachLeafItsOwn) {
  const Tensor a = ones({2}).requires_grad_();
  const Tensor b = ones({2}, f64).requires_grad_();
  sum(a * b).backward();
  EXPECT_EQ(a.grad().dtype(), f32);
  EXPECT_EQ(b.grad().dtype(), f64);
}

TEST(Tape, AChainOf100000NodesNeedsNoStackAndLeavesNothing) {
  const std::size_t before = memory_use().current;
  {
    const Tensor x = ones({1}, f64).requires_grad_();
    Tensor y = x;
    for (int i = 0; i < 100'000; ++i) y = y + 1;
    y.backward();
    EXPECT_EQ(x.grad().item(), 1);
    Tensor dropped = x;
    for (int i = 0; i < 100'000; ++i) dropped = dropped * 1.0;  // never walked, only let go
  }
  EXPECT_EQ(memory_use().current, before);
}

TEST(Tape, ThreadsCanTrainSideBySide) {
  const Tensor w = ones({8, 8}, f64).requires_grad_();
  constexpr int kThreads = 4;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) sum(matmul(ones({2, 8}, f64), w)).backward();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(w.grad().to_vector(), Doubles(64, 200.0));
}

}  // namespace
}  // namespace heed::test
