// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/op_cases.h"

namespace heed::test {
namespace {

using Inputs = std::vector<Tensor>;

const Interval kPositive{0.3, 2};

std::vector<OpCase> arithmetic() {
  return {
      {"add", [](const Inputs& x) { return x[0] + x[1]; }, {{{2, 3}}, {{2, 3}}}},
      {"add_broadcast", [](const Inputs& x) { return x[0] + x[1]; }, {{{2, 1, 3}}, {{4, 1}}}},
      {"add_scalar", [](const Inputs& x) { return 2 + (x[0] + 1.5); }, {{{3}}}},
      {"sub", [](const Inputs& x) { return x[0] - x[1]; }, {{{3, 1}}, {{1, 4}}}},
      {"sub_scalar", [](const Inputs& x) { return 2 - (x[0] - 1.5); }, {{{3}}}},
      {"mul", [](const Inputs& x) { return x[0] * x[1]; }, {{{2, 3}}, {{3}}}},
      {"mul_scalar", [](const Inputs& x) { return 2 * (x[0] * 1.5); }, {{{3}}}},
      {"div", [](const Inputs& x) { return x[0] / x[1]; }, {{{2, 3}}, {{2, 1}, kPositive}}},
      {"div_scalar", [](const Inputs& x) { return x[0] / 3; }, {{{3}}}},
      {"scalar_div", [](const Inputs& x) { return 3 / x[0]; }, {{{3}, kPositive}}},
      {"neg", [](const Inputs& x) { return -x[0]; }, {{{2, 2}}}},
      {"pow_2", [](const Inputs& x) { return pow(x[0], 2); }, {{{5}}}},
      {"pow_3", [](const Inputs& x) { return pow(x[0], 3); }, {{{5}}}},
      {"pow_fraction", [](const Inputs& x) { return pow(x[0], -0.5); }, {{{5}, kPositive}}},
      {"pow_tensor", [](const Inputs& x) { return pow(x[0], x[1]); }, {{{2, 3}, kPositive}, {{3}}}},
      {"x_used_twice", [](const Inputs& x) { return x[0] * x[0] + x[0]; }, {{{4}}}},
  };
}

std::vector<OpCase> elementwise() {
  return {
      {"abs", [](const Inputs& x) { return abs(x[0]); }, {{{7}}}},
      {"exp", [](const Inputs& x) { return exp(x[0]); }, {{{7}}}},
      {"log", [](const Inputs& x) { return log(x[0]); }, {{{7}, kPositive}}},
      {"sqrt", [](const Inputs& x) { return sqrt(x[0]); }, {{{7}, kPositive}}},
      {"sin", [](const Inputs& x) { return sin(x[0]); }, {{{7}}}},
      {"cos", [](const Inputs& x) { return cos(x[0]); }, {{{7}}}},
      {"tanh", [](const Inputs& x) { return tanh(x[0]); }, {{{7}}}},
      {"sigmoid", [](const Inputs& x) { return sigmoid(x[0]); }, {{{7}}}},
      {"relu", [](const Inputs& x) { return relu(x[0]); }, {{{7}}}},
      {"gelu", [](const Inputs& x) { return gelu(x[0]); }, {{{7}}}},
      {"gelu_tanh", [](const Inputs& x) { return gelu(x[0], Gelu::kTanh); }, {{{7}}}},
  };
}

std::vector<OpCase> reductions() {
  return {
      {"sum", [](const Inputs& x) { return sum(x[0]); }, {{{3, 5}}}},
      {"sum_dims",
       [](const Inputs& x) {
         return sum(x[0], {0, -1});
       },
       {{{2, 3, 4}}}},
      {"sum_keep", [](const Inputs& x) { return sum(x[0], 1, keepdims); }, {{{2, 3, 4}}}},
      {"mean", [](const Inputs& x) { return mean(x[0]); }, {{{3, 5}}}},
      {"mean_dim", [](const Inputs& x) { return mean(x[0], 0); }, {{{3, 5}}}},
      {"max", [](const Inputs& x) { return max(x[0]); }, {{{3, 5}}}},
      {"max_dim", [](const Inputs& x) { return max(x[0], 1); }, {{{3, 5, 2}}}},
      {"min_dims",
       [](const Inputs& x) {
         return min(x[0], {0, 2}, keepdims);
       },
       {{{3, 5, 2}}}},
      {"softmax", [](const Inputs& x) { return softmax(x[0]); }, {{{3, 5}}}},
      {"softmax_first", [](const Inputs& x) { return softmax(x[0], 0); }, {{{3, 5}}}},
      {"log_softmax", [](const Inputs& x) { return log_softmax(x[0]); }, {{{3, 5}}}},
      {"log_softmax_middle", [](const Inputs& x) { return log_softmax(x[0], 1); }, {{{2, 3, 2}}}},
      {"logsumexp", [](const Inputs& x) { return logsumexp(x[0]); }, {{{3, 5}}}},
      {"logsumexp_keep", [](const Inputs& x) { return logsumexp(x[0], 0, keepdims); }, {{{3, 5}}}},
      {"masked_softmax",
       [](const Inputs& x) {
         return masked_softmax(x[0], tensor({2, 0}, i64));
       },
       {{{2, 2, 4}}}},
      {"masked_softmax_per_row",
       [](const Inputs& x) {
         return masked_softmax(x[0], tensor({{1, 4}, {0, 3}}, i64));
       },
       {{{2, 2, 4}}}},
      {"masked_softmax_where",
       [](const Inputs& x) {
         return masked_softmax_where(x[0], tensor({{true, false, true}, {false, false, false}}));
       },
       {{{2, 2, 3}}}},
      {"layer_norm", [](const Inputs& x) { return layer_norm(x[0], {5}); }, {{{3, 5}}}},
      {"layer_norm_affine",
       [](const Inputs& x) {
         return layer_norm(x[0], {2, 3}, {.weight = x[1], .bias = x[2], .epsilon = 0.1});
       },
       {{{2, 2, 3}}, {{2, 3}}, {{2, 3}}}},
  };
}

std::vector<OpCase> products() {
  const auto product = [](const Inputs& x) { return matmul(x[0], x[1]); };
  return {
      {"matmul", product, {{{2, 3}}, {{3, 4}}}},
      {"matmul_vectors", product, {{{5}}, {{5}}}},
      {"matmul_row", product, {{{3}}, {{2, 3, 4}}}},
      {"matmul_column", product, {{{2, 4, 3}}, {{3}}}},
      {"matmul_batch", product, {{{2, 2, 3}}, {{2, 3, 2}}}},
      {"matmul_weight", product, {{{2, 2, 3}}, {{3, 2}}}},
      {"matmul_broadcast", product, {{{2, 1, 2, 3}}, {{3, 3, 2}}}},
      {"matmul_left_broadcast", product, {{{2, 3}}, {{2, 3, 2}}}},
      {"bmm", [](const Inputs& x) { return bmm(x[0], x[1]); }, {{{2, 1, 3}}, {{2, 3, 2}}}},
  };
}

std::vector<OpCase> views() {
  return {
      {"transpose", [](const Inputs& x) { return x[0].transpose(0, -1) * 2; }, {{{2, 3, 2}}}},
      {"permute",
       [](const Inputs& x) {
         return x[0].permute({2, 0, 1}) * 2;
       },
       {{{2, 3, 2}}}},
      {"reshape",
       [](const Inputs& x) {
         return x[0].reshape({3, -1}) * 2;
       },
       {{{2, 6}}}},
      {"reshape_copy", [](const Inputs& x) { return x[0].transpose(0, 1).reshape({-1}) * 2; }, {{{2, 3}}}},
      {"slice", [](const Inputs& x) { return x[0].slice(1, {.start = 1, .step = 2}) * 2; }, {{{2, 6}}}},
      {"slice_back", [](const Inputs& x) { return x[0].slice(0, {.step = -1}) * 2; }, {{{4, 2}}}},
      {"select", [](const Inputs& x) { return x[0].select(1, -1) * 2 + x[0].select(1, 0); }, {{{2, 3}}}},
      {"index", [](const Inputs& x) { return x[0][1]; }, {{{2, 3}}}},
      {"squeeze", [](const Inputs& x) { return x[0].squeeze() * 2; }, {{{1, 3, 1}}}},
      {"unsqueeze", [](const Inputs& x) { return x[0].unsqueeze(1) * 2; }, {{{3, 2}}}},
      {"expand",
       [](const Inputs& x) {
         return x[0].expand({2, 3, -1}) * 2;
       },
       {{{3, 1}}}},
      {"diagonal",
       [](const Inputs& x) { return x[0].diagonal({.offset = 1, .dim1 = 0, .dim2 = 2}); },
       {{{3, 2, 4}}}},
      {"contiguous", [](const Inputs& x) { return x[0].transpose(0, 1).contiguous(); }, {{{2, 3}}}},
      {"clone", [](const Inputs& x) { return x[0].clone(); }, {{{2, 3}}}},
  };
}

std::vector<OpCase> joining_and_picking() {
  return {
      {"cat",
       [](const Inputs& x) {
         return cat({x[0], x[1], x[0]}, 1);
       },
       {{{2, 2}}, {{2, 1}}}},
      {"stack",
       [](const Inputs& x) {
         return stack({x[0], x[1]}, 1);
       },
       {{{2, 2}}, {{2, 2}}}},
      {"repeat_interleave", [](const Inputs& x) { return repeat_interleave(x[0], 3, 1); }, {{{2, 2}}}},
      {"gather",
       [](const Inputs& x) {
         return gather(x[0], 1, tensor({{2, 0, 2, 1}, {1, 1, 1, 0}}, i64));
       },
       {{{2, 3}}}},
      {"gather_first",
       [](const Inputs& x) {
         return gather(x[0], 0, tensor({{1, 0, 1}}, i64));
       },
       {{{2, 3}}}},
      {"embedding",
       [](const Inputs& x) {
         return embedding(x[0], tensor({{3, 0}, {3, 1}}, i64));
       },
       {{{4, 3}}}},
      {"where",
       [](const Inputs& x) {
         return where(tensor({{true, false, true}, {false, true, true}}), x[0], x[1]);
       },
       {{{2, 3}}, {{3}}}},
      {"sequence_mask",
       [](const Inputs& x) {
         return sequence_mask(x[0], tensor({1, 3}, i64), -7);
       },
       {{{2, 3, 2}}}},
      {"dropout",
       [](const Inputs& x) {
         Generator generator(3);
         return dropout(x[0], 0.4, generator);
       },
       {{{3, 7}}}},
  };
}

std::vector<OpCase> losses() {
  return {
      {"l2_loss", [](const Inputs& x) { return l2_loss(x[0], x[1]); }, {{{3, 2}}, {{3, 2}}}},
      {"l2_loss_1d", [](const Inputs& x) { return l2_loss(x[0], x[1]); }, {{{3}}, {{3}}}},
      {"mse_loss", [](const Inputs& x) { return mse_loss(x[0], x[1]); }, {{{3, 2}}, {{3, 2}}}},
      {"cross_entropy",
       [](const Inputs& x) {
         return cross_entropy(x[0], tensor({2, 0, 1}, i64));
       },
       {{{3, 4}}}},
  };
}

}  // namespace

std::vector<Tensor> OpCase::make(Dtype dtype, std::uint64_t seed) const {
  std::vector<Tensor> result;
  for (const Input& input : inputs) result.push_back(random_in(input.interval, input.shape, dtype, seed++));
  return result;
}

const std::vector<OpCase>& op_cases() {
  static const std::vector<OpCase> kAll = [] {
    std::vector<OpCase> all;
    for (auto* family : {arithmetic, elementwise, reductions, products, views, joining_and_picking, losses}) {
      for (OpCase& op_case : family()) all.push_back(std::move(op_case));
    }
    return all;
  }();
  return kAll;
}

}  // namespace heed::test
