// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Every operation refuses what it cannot do, naming itself, the argument, what it expected and what it found.
#include "support/errors.h"
#include "support/tensors.h"

namespace heed::test {
namespace {

const Tensor kNothing;

TEST(Errors, Arithmetic) {
  const Tensor x = zeros({2, 3});
  const Tensor y = zeros({4});
  expect_errors({
      {[&] { x + y; }, "add: shapes (2, 3) and (4,) do not broadcast"},
      {[&] { x - y; }, "sub: shapes (2, 3) and (4,) do not broadcast"},
      {[&] { (void)(x * y); }, "mul: shapes (2, 3) and (4,) do not broadcast"},
      {[&] { x / y; }, "div: shapes (2, 3) and (4,) do not broadcast"},
      {[&] { pow(x, y); }, "pow: shapes (2, 3) and (4,) do not broadcast"},
      {[&] { x + kNothing; }, "add: right operand is undefined"},
      {[&] { kNothing + x; }, "add: left operand is undefined"},
      {[&] { kNothing * 2; }, "mul: tensor is undefined"},
      {[&] { 2 - kNothing; }, "sub: tensor is undefined"},
      {[&] { kNothing / 2; }, "div: tensor is undefined"},
      {[&] { 2 / kNothing; }, "div: tensor is undefined"},
      {[&] { -kNothing; }, "neg: x is undefined"},
      {[&] { -tensor({true}); }, "neg: x must be a number, found boolean"},
      {[&] { abs(tensor({true})); }, "abs: x must be a number, found boolean"},
      {[&] { pow(tensor({2}, i64), -1); }, "pow: exponent must not be negative for an i64 tensor, found -1"},
  });
}

TEST(Errors, Elementwise) {
  const Tensor i = zeros({2}, i64);
  expect_errors({
      {[&] { exp(i); }, "exp: x must be f32 or f64, found i64"},
      {[&] { log(i); }, "log: x must be f32 or f64, found i64"},
      {[&] { sqrt(i); }, "sqrt: x must be f32 or f64, found i64"},
      {[&] { sin(i); }, "sin: x must be f32 or f64, found i64"},
      {[&] { cos(i); }, "cos: x must be f32 or f64, found i64"},
      {[&] { tanh(i); }, "tanh: x must be f32 or f64, found i64"},
      {[&] { sigmoid(i); }, "sigmoid: x must be f32 or f64, found i64"},
      {[&] { relu(i); }, "relu: x must be f32 or f64, found i64"},
      {[&] { gelu(i); }, "gelu: x must be f32 or f64, found i64"},
      {[&] { exp(kNothing); }, "exp: x is undefined"},
  });
}

TEST(Errors, ComparisonAndLogic) {
  const Tensor x = zeros({2});
  const Tensor y = zeros({3});
  expect_errors({
      {[&] { (void)(x == y); }, "equal: shapes (2,) and (3,) do not broadcast"},
      {[&] { (void)(x != y); }, "not_equal: shapes (2,) and (3,) do not broadcast"},
      {[&] { (void)(x < y); }, "less: shapes (2,) and (3,) do not broadcast"},
      {[&] { (void)(x <= y); }, "less_equal: shapes (2,) and (3,) do not broadcast"},
      {[&] { (void)(x > y); }, "greater: shapes"},
      {[&] { (void)(x >= y); }, "greater_equal: shapes"},
      {[&] { (void)(kNothing > 1); }, "greater: tensor is undefined"},
      {[&] { logical_and(x, x); }, "logical_and: left operand must be boolean, found f32"},
      {[&] { logical_or(tensor({true}), x); }, "logical_or: right operand must be boolean, found f32"},
      {[&] { logical_not(x); }, "logical_not: x must be boolean, found f32"},
      {[&] { logical_and(ones({2}, boolean), ones({3}, boolean)); },
       "logical_and: shapes (2,) and (3,) do not broadcast"},
      {[&] { identical(x, kNothing); }, "identical: b is undefined"},
      {[&] { all_close(x, y); }, "all_close: shapes (2,) and (3,) do not broadcast"},
  });
}

TEST(Errors, Views) {
  const Tensor x = zeros({2, 3});
  expect_errors({
      {[&] { x.transpose(0, 2); }, "transpose: dim 2 is out of range for a tensor of rank 2"},
      {[&] { x.permute({0}); }, "permute: dims (0,) must name each dimension of shape (2, 3) once"},
      {[&] {
         x.permute({0, 0});
       },
       "permute: dim 0 appears twice"},
      {[&] {
         x.permute({0, 2});
       },
       "permute: dim 2 is out of range for a tensor of rank 2"},
      {[&] {
         x.reshape({4, 2});
       },
       "reshape: (2, 3) has 6 elements, (4, 2) has 8"},
      {[&] {
         x.reshape({-1, 4});
       },
       "reshape: the 6 elements of (2, 3) do not divide into (-1, 4)"},
      {[&] {
         x.reshape({-1, -1});
       },
       "reshape: only one size may be -1, found (-1, -1)"},
      {[&] {
         x.reshape({-2, 3});
       },
       "reshape: sizes must not be negative (but for one -1), found (-2, 3)"},
      {[&] {
         zeros({0}).reshape({-1, 0});
       },
       "reshape: -1 in (-1, 0) could be anything"},
      {[&] { x.slice(0, {.step = 0}); }, "slice: step must not be 0"},
      {[&] { x.slice(2, {}); }, "slice: dim 2 is out of range for a tensor of rank 2"},
      {[&] { x.select(1, 3); }, "select: index 3 is out of range for dim 1 of shape (2, 3)"},
      {[&] { x[-3]; }, "select: index -3 is out of range for dim 0 of shape (2, 3)"},
      {[&] { tensor(1)[0]; }, "select: dim 0 is out of range for a tensor of rank 0"},
      {[&] { x.squeeze(1); }, "squeeze: dim 1 of shape (2, 3) has size 3, expected 1"},
      {[&] { x.unsqueeze(4); }, "unsqueeze: dim 4 is out of range"},
      {[&] {
         zeros({1, 1, 1, 1, 1, 1, 1, 1}).unsqueeze(0);
       },
       "unsqueeze: shape (1, 1, 1, 1, 1, 1, 1, 1) already has the most dimensions, 8"},
      {[&] { x.expand({3}); }, "expand: (3,) has fewer dimensions than shape (2, 3)"},
      {[&] {
         x.expand({4, 3});
       },
       "expand: shape (2, 3) does not expand to (4, 3)"},
      {[&] {
         x.expand({-1, 2, 3});
       },
       "expand: shape (2, 3) does not expand to (-1, 2, 3)"},
      {[&] { x.diagonal({.dim1 = 1, .dim2 = 1}); }, "diagonal: dim1 and dim2 must differ, found 1 and 1"},
      {[&] { zeros({2}).diagonal(); }, "diagonal: dim 1 is out of range for a tensor of rank 1"},
      {[&] { kNothing.reshape({1}); }, "reshape: tensor is undefined"},
      {[&] { kNothing.to(f32); }, "to: tensor is undefined"},
      {[&] { kNothing.clone(); }, "clone: tensor is undefined"},
  });
}

TEST(Errors, Reductions) {
  const Tensor x = zeros({2, 0});
  expect_errors({
      {[&] { sum(x, 2); }, "sum: dim 2 is out of range for a tensor of rank 2"},
      {[&] {
         mean(x, {0, -2});
       },
       "mean: dim -2 appears twice"},
      {[&] { max(x); }, "max: dim 1 of shape (2, 0) is empty and has no such element"},
      {[&] { min(x, 1); }, "min: dim 1 of shape (2, 0) is empty"},
      {[&] { argmax(x, -1); }, "argmax: dim 1 of shape (2, 0) is empty"},
      {[&] { argmax(x, 5); }, "argmax: dim 5 is out of range"},
      {[&] { sum(kNothing); }, "sum: x is undefined"},
      {[&] { softmax(x, 2); }, "softmax: dim 2 is out of range"},
      {[&] { softmax(tensor(1)); }, "softmax: dim -1 is out of range for a tensor of rank 0"},
      {[&] { log_softmax(x.to(i64)); }, "log_softmax: x must be f32 or f64, found i64"},
      {[&] { logsumexp(x, -3); }, "logsumexp: dim -3 is out of range"},
  });
}

TEST(Errors, Products) {
  expect_errors({
      {[&] {
         matmul(zeros({2, 3}), zeros({4, 5}));
       },
       "matmul: inner sizes differ: (2, 3) x (4, 5)"},
      {[&] { matmul(zeros({3}), zeros({4})); }, "matmul: inner sizes differ: (3,) x (4,)"},
      {[&] {
         matmul(zeros({2, 2, 3}), zeros({3, 3, 2}));
       },
       "matmul: batch dims do not broadcast: (2, 2, 3) x (3, 3, 2)"},
      {[&] { matmul(tensor(1), zeros({1})); }, "matmul: operands must have a dimension at least: () x (1,)"},
      {[&] {
         matmul(zeros({2, 2}, i64), zeros({2, 2}, i64));
       },
       "matmul: operands must be f32 or f64, found i64 x i64"},
      {[&] { matmul(kNothing, zeros({2})); }, "matmul: left operand is undefined"},
      {[&] {
         bmm(zeros({2, 3}), zeros({3, 2}));
       },
       "bmm: expected (B, m, k) x (B, k, n), found (2, 3) x (3, 2)"},
      {[&] {
         bmm(zeros({2, 2, 3}), zeros({1, 3, 2}));
       },
       "bmm: expected (B, m, k) x (B, k, n)"},
  });
}

TEST(Errors, JoiningAndPicking) {
  const Tensor x = zeros({2, 3});
  expect_errors({
      {[&] { cat(std::span<const Tensor>{}); }, "cat: needs at least one tensor"},
      {[&] {
         cat({x, kNothing});
       },
       "cat: tensors[1] is undefined"},
      {[&] {
         cat({x, zeros({2, 4})});
       },
       "cat: tensors[1] has shape (2, 4), tensors[0] has (2, 3); only dim 0 may differ"},
      {[&] {
         cat({x, zeros({2})});
       },
       "cat: tensors[1] has shape (2,), tensors[0] has (2, 3)"},
      {[&] { cat({x}, 2); }, "cat: dim 2 is out of range"},
      {[&] { cat({tensor(1)}); }, "cat: dim 0 is out of range for a tensor of rank 0"},
      {[&] { stack(std::span<const Tensor>{}); }, "stack: needs at least one tensor"},
      {[&] {
         stack({x, zeros({3, 2})});
       },
       "stack: tensors[1] has shape (3, 2), tensors[0] has (2, 3)"},
      {[&] { stack({x}, 3); }, "stack: dim 3 is out of range"},
      {[&] { repeat_interleave(x, -1); }, "repeat_interleave: repeats must not be negative, found -1"},
      {[&] { repeat_interleave(x, 1, 2); }, "repeat_interleave: dim 2 is out of range"},
      {[&] {
         gather(x, 1, tensor({{0}, {3}}, i64));
       },
       "gather: index[1, 0] is 3, expected 0..2"},
      {[&] {
         gather(x, 1, tensor({{0, -1}, {0, 0}}, i64));
       },
       "gather: index[0, 1] is -1, expected 0..2"},
      {[&] {
         gather(x, 1, zeros({3, 1}, i64));
       },
       "gather: index has shape (3, 1), expected (2, 3) but for dim 1"},
      {[&] { gather(x, 1, zeros({2}, i64)); }, "gather: index has shape (2,), expected (2, 3) but for dim 1"},
      {[&] {
         gather(x, 1, zeros({2, 1}));
       },
       "gather: index must be i64, found f32"},
      {[&] {
         embedding(zeros({10, 2}), tensor({1, 2, 3, 12}, i64));
       },
       "embedding: indices[3] is 12, expected 0..9"},
      {[&] {
         embedding(zeros({10, 2}), tensor({-1}, i64));
       },
       "embedding: indices[0] is -1, expected 0..9"},
      {[&] {
         embedding(zeros({0, 2}), tensor({0}, i64));
       },
       "embedding: indices[0] is 0, but there is nothing to pick from"},
      {[&] { embedding(zeros({10}), tensor({1}, i64)); }, "embedding: table must be (N, D), found (10,)"},
      {[&] { embedding(x, tensor({1})); }, "embedding: indices must be i64, found f32"},
      {[&] { where(x, x, x); }, "where: condition must be boolean, found f32"},
      {[&] { where(ones({2}, boolean), x, x); }, "where: shapes (2,) and (2, 3) do not broadcast"},
      {[&] {
         where(ones({2, 3}, boolean), x, zeros({4}));
       },
       "where: shapes (2, 3) and (4,) do not broadcast"},
      {[&] {
         where(ones({2, 3}, boolean), x, kNothing);
       },
       "where: b is undefined"},
  });
}

TEST(Errors, Layers) {
  const Tensor x = zeros({2, 3});
  expect_errors({
      {[&] { dropout(x, -0.1); }, "dropout: p must lie in 0..1, found -0.1"},
      {[&] { dropout(x, 1.5); }, "dropout: p must lie in 0..1, found 1.5"},
      {[&] { dropout(x, kNan); }, "dropout: p must lie in 0..1, found nan"},
      {[&] { dropout(x.to(i64), 0.5); }, "dropout: x must be f32 or f64, found i64"},
      {[&] { layer_norm(x, {2}); }, "layer_norm: normalized (2,) must be the last dims of x, found (2, 3)"},
      {[&] { layer_norm(x, {}); }, "layer_norm: normalized () must be the last dims of x, found (2, 3)"},
      {[&] {
         layer_norm(x, {1, 2, 3});
       },
       "layer_norm: normalized (1, 2, 3) must be the last dims of x"},
      {[&] { layer_norm(x, {3}, {.weight = zeros({2})}); },
       "layer_norm: weight has shape (2,), expected (3,)"},
      {[&] { layer_norm(x, {3}, {.bias = zeros({3}, f64)}); },
       "layer_norm: bias is f64, expected f32 as x is"},
      {[&] { layer_norm(x, {3}, {.epsilon = -1}); }, "layer_norm: epsilon must not be negative, found -1"},
  });
}

TEST(Errors, Losses) {
  const Tensor x = zeros({2, 3});
  expect_errors({
      {[&] { l2_loss(x, zeros({3})); }, "l2_loss: prediction (2, 3) and target (3,) differ in shape"},
      {[&] { l2_loss(tensor(1), tensor(1)); },
       "l2_loss: prediction must have a first dim, the samples; found ()"},
      {[&] {
         mse_loss(x, zeros({2, 1}));
       },
       "mse_loss: prediction (2, 3) and target (2, 1) differ in shape"},
      {[&] { mse_loss(x, x.to(i64)); }, "mse_loss: target must be f32 or f64, found i64"},
      {[&] {
         cross_entropy(x, tensor({0, 3}, i64));
       },
       "cross_entropy: target[1] is 3, expected 0..2"},
      {[&] { cross_entropy(x, tensor({0}, i64)); },
       "cross_entropy: target has shape (1,), expected (2,) for logits (2, 3)"},
      {[&] { cross_entropy(zeros({3}), tensor(0, i64)); },
       "cross_entropy: logits must be (N, C), found (3,)"},
      {[&] { cross_entropy(x, zeros({2})); }, "cross_entropy: target must be i64, found f32"},
  });
}

}  // namespace
}  // namespace heed::test
