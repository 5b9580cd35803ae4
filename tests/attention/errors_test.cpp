// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Every wrong argument of attend() and the masks: the call, and what the error says.
#include <heed/heed.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace heed::test {
namespace {

struct WrongCall {
  const char* expected;
  std::function<void()> call;
};

TEST(AttendErrors, NameTheArgumentWhatWasExpectedAndWhatWasFound) {
  const Tensor q = ones({2, 3, 4}), k = ones({2, 5, 4}), v = ones({2, 5, 6});
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const auto with = [&](const AttendOptions& options) { return [=] { (void)attend(q, k, v, options); }; };
  const WrongCall calls[] = {
      {"attend: queries is undefined", [&] { (void)attend({}, k, v); }},
      {"attend: keys is undefined", [&] { (void)attend(q, {}, v); }},
      {"attend: values is undefined", [&] { (void)attend(q, k, {}); }},
      {"attend: queries must be f32 or f64, found i64", [&] { (void)attend(q.to(i64), k, v); }},
      {"attend: keys must be f32 like queries, found f64", [&] { (void)attend(q, k.to(f64), v); }},
      {"attend: values must be f32 like queries, found f64", [&] { (void)attend(q, k, v.to(f64)); }},
      {"attend: queries must have shape (Lq, D), (B, Lq, D) or (B, H, Lq, D), found (4,)",
       [&] { (void)attend(q[0][0], k, v); }},
      {"attend: keys must have as many dims as queries (2, 3, 4), found (5, 4)", [&] { (void)attend(q, k[0], v); }},
      {"attend: keys must have the queries' batch size 2, found (1, 5, 4)",
       [&] { (void)attend(q, k.slice(0, {.stop = 1}), v); }},
      {"attend: values must match keys (2, 5, 4) in all but the last dim, found (2, 4, 6)",
       [&] { (void)attend(q, k, v.slice(1, {.stop = 4})); }},
      {"attend: ScaledDot needs queries and keys of the same width, found (2, 3, 4) and (2, 5, 6)",
       [&] { (void)attend(q, v, v); }},
      {"attend: Dot needs queries and keys of the same width", [&] { (void)attend(q, v, v, {.score = Dot{}}); }},
      {"attend: Gaussian needs queries and keys of the same width",
       [&] { (void)attend(q, v, v, {.score = Gaussian{}}); }},
      {"attend: heads of queries (1, 5, 3, 4) must be a multiple of those of keys (1, 2, 3, 4)",
       [&] { (void)attend(ones({1, 5, 3, 4}), ones({1, 2, 3, 4}), ones({1, 2, 3, 4})); }},
      {"attend: ScaledDot.scale must be finite, found nan", with({.score = ScaledDot{.scale = nan}})},
      {"attend: ScaledDot.scale must be finite, found inf", with({.score = ScaledDot{.scale = inf}})},
      {"attend: Gaussian.bandwidth must be positive, found 0", with({.score = Gaussian{.bandwidth = 0.0}})},
      {"attend: Gaussian.bandwidth must be positive, found nan", with({.score = Gaussian{.bandwidth = nan}})},
      {"attend: ScaledDot.scale must lie within +-2.36e+38, as queries are f32, found 1e+39",
       with({.score = ScaledDot{.scale = 1e39}})},
      {"attend: ScaledDot.scale must lie within +-2.36e+38, as queries are f32, found -3e+38",
       with({.score = ScaledDot{.scale = -3e38}})},
      {"attend: Gaussian.bandwidth must have an inverse that is finite, as queries are f32, found 1e-40",
       with({.score = Gaussian{.bandwidth = 1e-40}})},
      {"attend: Gaussian.bandwidth must have an inverse that is finite, as queries are f32, found 1e-60",
       with({.score = Gaussian{.bandwidth = 1e-60}})},
      {"attend: Gaussian.bandwidth must have an inverse that is finite, as queries are f32, found 1e-60",
       with({.score = Gaussian{.bandwidth = tensor({1, 1, 1e-60, 1}, f64)}})},
      {"attend: Gaussian.bandwidth must have an inverse that is finite, as queries are f64, found 1e-310",
       [=] { (void)attend(q.to(f64), k.to(f64), v.to(f64), {.score = Gaussian{.bandwidth = 1e-310}}); }},
      {"attend: Gaussian.w must be finite, as queries are f32, found 1e+60",
       with({.score = Gaussian{.w = 1e60}})},
      {"attend: Gaussian.w must be finite, as queries are f32, found nan", with({.score = Gaussian{.w = nan}})},
      {"attend: Gaussian.w must be finite, as queries are f32, found inf", with({.score = Gaussian{.w = inf}})},
      {"attend: Gaussian: give bandwidth or w (its inverse), not both",
       with({.score = Gaussian{.bandwidth = 1.0, .w = 1.0}})},
      {"attend: Gaussian.bandwidth must be a scalar or have shape (4,), found (3,)",
       with({.score = Gaussian{.bandwidth = ones({3})}})},
      {"attend: Gaussian.w must be f32 or f64, found i64", with({.score = Gaussian{.w = ones({4}, i64)}})},
      {"attend: Additive.W_q is undefined", with({.score = Additive{}})},
      {"attend: Additive.W_q must have shape (hidden, 4) for queries of shape (2, 3, 4), found (8, 5)",
       with({.score = Additive{ones({8, 5}), ones({8, 4}), ones({8})}})},
      {"attend: Additive.W_q and W_k must have the same hidden size, found (8, 4) and (7, 4)",
       with({.score = Additive{ones({8, 4}), ones({7, 4}), ones({8})}})},
      {"attend: Additive.w_v must have shape (8,) or (1, 8), found (7,)",
       with({.score = Additive{ones({8, 4}), ones({8, 4}), ones({7})}})},
      {"attend: softcap must be positive and finite, found 0", with({.softcap = 0.0})},
      {"attend: softcap must be positive and finite, found nan", with({.softcap = nan})},
      {"attend: dropout must lie in 0..1, found 1.5", with({.dropout = 1.5})},
      {"attend: dropout must lie in 0..1, found nan", with({.dropout = nan})},
      {"attend: bias must be f32 like queries, found boolean; a boolean tensor is a mask: mask(tensor)",
       with({.bias = ones({3, 5}, boolean)})},
      {"attend: bias of shape (3, 4) does not broadcast to the scores (2, 3, 5)", with({.bias = ones({3, 4})})},
      {"attend: bias of shape (1, 2, 3, 5) does not broadcast", with({.bias = ones({1, 2, 3, 5})})},
      {"attend: mask: shape (4, 5) does not broadcast to the scores (2, 3, 5)",
       with({.mask = mask(ones({4, 5}, boolean))})},
      {"attend: valid_lens must have shape (2,) or (2, 3), found (3,)", with({.mask = valid_lens({1, 2, 3})})},
      {"attend: valid_lens[1] is 6, expected 0..5", with({.mask = valid_lens({1, 6})})},
      {"attend: valid_lens[1, 2] is -1, expected 0..5", with({.mask = valid_lens({{1, 2, 3}, {4, 5, -1}})})},
      {"attend: mask: causal or window with Lq = 3 and Lk = 5 must say which corner", with({.mask = causal()})},
      {"attend: mask: causal or window with Lq = 3 and Lk = 5 must say which corner",
       with({.mask = window({.left = 1})})},
      {"valid_lens: lengths[1] is 1.9, expected a whole number of 64 bits", [] { (void)valid_lens({2.0, 1.9}); }},
      {"valid_lens: lengths[0] is -0.5, expected a whole number of 64 bits", [] { (void)valid_lens({-0.5}); }},
      {"valid_lens: lengths[0, 1] is nan, expected a whole number of 64 bits", [=] { (void)valid_lens({{1.0, nan}}); }},
      {"valid_lens: lengths[0] is inf, expected a whole number of 64 bits", [=] { (void)valid_lens({inf}); }},
      {"valid_lens: lengths[0] is 1e+30, expected a whole number of 64 bits", [] { (void)valid_lens({1e30}); }},
      {"valid_lens: lengths must be i64, found f32", [] { (void)valid_lens(ones({2})); }},
      {"mask: allowed must be boolean, found f32", [] { (void)mask(ones({2})); }},
      {"window: left must not be negative, found -1", [] { (void)window({.left = -1}); }},
      {"window: right must not be negative, found -3", [] { (void)window({.right = -3}); }},
      {"attention_weights: nothing was attended to yet", [] { (void)AttentionWeights()(); }},
      {"attention_weights: the call had no heads to choose from",
       [&] { (void)attend_with_weights(q, k, v).weights({.heads = {0}}); }},
      {"attention_weights: row 3 does not exist, there are 3",
       [&] { (void)attend_with_weights(q, k, v).weights({.rows = {3}}); }},
      {"attention_weights: head -3 does not exist, there are 2",
       [&] {
         const Tensor x = ones({1, 2, 3, 4});
         (void)attend_with_weights(x, x, x).weights({.heads = {-3}});
       }},
  };
  for (const WrongCall& wrong : calls) {
    SCOPED_TRACE(wrong.expected);
    try {
      wrong.call();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, std::string(wrong.expected).size()), wrong.expected);
    }
  }
}

TEST(AttendErrors, AFailedAllocationIsAnErrorAndLeavesNothingBehind) {
  const Tensor q = ones({64, 8}), k = ones({64, 8}), v = ones({64, 8}).requires_grad_();
  const Tensor out = attend(q, k, v);
  const std::size_t held = memory_use().current;
  // Whatever the limit stops, the call ends in an Error, not in std::terminate.
  for (std::size_t room = 0; room < 20000; room += 500) {
    set_memory_limit(held + room + 1);
    try {
      (void)attend(q, k, v);
      attend(q, k, v).backward(ones_like(out));
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("memory limit"), std::string::npos) << error.what();
    }
    v.set_grad({});
    EXPECT_EQ(memory_use().current, held);
  }
  set_memory_limit(0);
}

}  // namespace
}  // namespace heed::test
