// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"
#include "shown.h"

#include <heed/error.h>
#include <heed/ops.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <vector>

namespace heed::python {
namespace {

KeepDims keep(bool keepdim) { return keepdim ? KeepDims::kYes : KeepDims::kNo; }

Tensor optional_tensor(const std::optional<Real>& x) { return x ? Tensor(*x) : Tensor(); }

std::vector<Tensor> as_tensors(const std::vector<Input>& inputs) { return {inputs.begin(), inputs.end()}; }

template <Tensor (*kOp)(const Tensor&), class Kind = Real>
void bind_unary(nb::module_& m, const char* name, const char* doc) {
  m.def(
      name, [](const Kind& x) { return kOp(x); }, "x"_a, WhileComputing(), doc);
}

void bind_elementwise(nb::module_& m) {
  bind_unary<heed::abs, Input>(m, "abs", "|x|\n\n>>> heed.abs(heed.tensor([-2.0]))\ntensor([2.])");
  bind_unary<heed::exp>(m, "exp", "e^x\n\n>>> heed.exp(heed.tensor([0]))\ntensor([1.])");
  bind_unary<heed::log>(m, "log", "Natural logarithm.\n\n>>> heed.log(heed.tensor([1]))\ntensor([0.])");
  bind_unary<heed::sqrt>(m, "sqrt", "Square root.\n\n>>> heed.sqrt(heed.tensor([4]))\ntensor([2.])");
  bind_unary<heed::sin>(m, "sin", "Sine.\n\n>>> heed.sin(heed.tensor([0]))\ntensor([0.])");
  bind_unary<heed::cos>(m, "cos", "Cosine.\n\n>>> heed.cos(heed.tensor([0]))\ntensor([1.])");
  bind_unary<heed::tanh>(m, "tanh", "Hyperbolic tangent.\n\n>>> heed.tanh(heed.tensor([0]))\ntensor([0.])");
  bind_unary<heed::sigmoid>(m, "sigmoid",
                            "1 / (1 + e^-x)\n\n>>> heed.sigmoid(heed.tensor([0]))\ntensor([0.5000])");
  bind_unary<heed::relu>(m, "relu", "max(x, 0)\n\n>>> heed.relu(heed.tensor([-1, 2]))\ntensor([0., 2.])");
  bind_unary<heed::logical_not, Input>(
      m, "logical_not", "Not.\n\n>>> heed.logical_not(heed.tensor([True, False]))\ntensor([False,  True])");
  m.def(
      "gelu",
      [](const Real& x, std::string_view form) {
        if (form != "exact" && form != "tanh") {
          throw Error("gelu: form must be \"exact\" or \"tanh\", found " + shown(form));
        }
        return gelu(x, form == "tanh" ? Gelu::kTanh : Gelu::kExact);
      },
      "x"_a, "form"_a = "exact", WhileComputing(),
      "x Phi(x)\n\n>>> heed.gelu(heed.tensor([0]))\ntensor([0.])");
  m.def(
      "pow", [](const Input& x, Scalar exponent) { return pow(x, exponent); }, "x"_a, "exponent"_a,
      WhileComputing(),
      "x to the power of a number or, element by element, of a tensor; also x ** exponent.\n\n"
      ">>> heed.pow([1.0, 2.0, 3.0], 2)\ntensor([1., 4., 9.])");
  m.def(
      "pow", [](const Input& x, const Input& exponent) { return pow(x, exponent); }, "x"_a, "exponent"_a,
      WhileComputing());
  m.def(
      "logical_and", [](const Input& a, const Input& b) { return logical_and(a, b); }, "a"_a, "b"_a,
      WhileComputing(), "And.\n\n>>> heed.logical_and([True], [False])\ntensor([False])");
  m.def(
      "logical_or", [](const Input& a, const Input& b) { return logical_or(a, b); }, "a"_a, "b"_a,
      WhileComputing(), "Or.\n\n>>> heed.logical_or([True], [False])\ntensor([True])");
  m.def(
      "where", [](const Input& condition, const Input& a, const Input& b) { return where(condition, a, b); },
      "condition"_a, "a"_a, "b"_a, WhileComputing(),
      "condition ? a : b; what is not chosen reaches neither value nor gradient.\n\n"
      ">>> heed.where([True, False], [1.0, 1.0], [2.0, 2.0])\ntensor([1., 2.])");
  m.def(
      "identical", [](const Input& a, const Input& b) { return identical(a, b); }, "a"_a, "b"_a,
      WhileComputing(),
      "Same shape, type and elements; NaN equals NaN.\n\n>>> heed.identical([1.0], [1.0])\nTrue");
  m.def(
      "all_close",
      [](const Input& a, const Input& b, double relative, double absolute) {
        return all_close(a, b, {relative, absolute});
      },
      "a"_a, "b"_a, nb::kw_only(), "relative"_a = 1e-5, "absolute"_a = 1e-8, WhileComputing(),
      "|a - b| <= absolute + relative |b| everywhere.\n\n>>> heed.all_close([1.0], [1.000001])\nTrue");
}

template <Tensor (*kOp)(const Tensor&, const Dims&, KeepDims)>
void bind_reduction(nb::module_& m, const char* name, const char* doc) {
  m.def(
      name,
      [](const Input& x, const std::optional<Dims>& dim, bool keepdim) {
        return kOp(x, dim.value_or(Dims()), keep(keepdim));
      },
      "x"_a, "dim"_a = nb::none(), "keepdim"_a = false, WhileComputing(), doc);
}

void bind_reductions(nb::module_& m) {
  bind_reduction<heed::sum>(m, "sum",
                            "Sum over dim, or everything.\n\n>>> heed.sum(heed.ones((2, 3)), 0)\n"
                            "tensor([2., 2., 2.])");
  bind_reduction<heed::mean>(m, "mean",
                             "Mean over dim, or everything.\n\n>>> heed.mean([1.0, 2.0])\ntensor(1.5000)");
  bind_reduction<heed::max>(m, "max",
                            "Largest over dim, or everything.\n\n>>> heed.max([1.0, 2.0])\ntensor(2.)");
  bind_reduction<heed::min>(m, "min",
                            "Least over dim, or everything.\n\n>>> heed.min([1.0, 2.0])\ntensor(1.)");
  m.def(
      "argmax",
      [](const Input& x, std::optional<std::int64_t> dim, bool keepdim) {
        return dim ? argmax(x, *dim, keep(keepdim)) : argmax(x.reshape({-1}), 0);
      },
      "x"_a, "dim"_a = nb::none(), "keepdim"_a = false, WhileComputing(),
      "Index of the first largest element, along dim or in row-major order.\n\n>>> heed.argmax([1.0, 3.0, "
      "2.0], 0)\ntensor(1)");
  m.def(
      "softmax", [](const Real& x, std::int64_t dim) { return softmax(x, dim); }, "x"_a, "dim"_a = -1,
      WhileComputing(), "exp(x) / sum exp(x)\n\n>>> heed.softmax([0.0, 0.0])\ntensor([0.5000, 0.5000])");
  m.def(
      "log_softmax", [](const Real& x, std::int64_t dim) { return log_softmax(x, dim); }, "x"_a, "dim"_a = -1,
      WhileComputing(), "log softmax\n\n>>> heed.log_softmax([0.0, 0.0])\ntensor([-0.6931, -0.6931])");
  m.def(
      "logsumexp",
      [](const Real& x, std::int64_t dim, bool keepdim) { return logsumexp(x, dim, keep(keepdim)); }, "x"_a,
      "dim"_a = -1, "keepdim"_a = false, WhileComputing(),
      "log sum exp(x)\n\n>>> heed.logsumexp([0.0, 0.0])\ntensor(0.6931)");
  m.def(
      "masked_softmax",
      [](const Real& scores, nb::object lens) {
        const Tensor lengths = lens.is_none() ? Tensor() : to_whole(lens, "masked_softmax: valid_lens");
        const Computing computing;
        return masked_softmax(scores, lengths);
      },
      "scores"_a, "valid_lens"_a = nb::none(),
      nb::sig("def masked_softmax(scores: heed._typing.ArrayLike, valid_lens: heed._typing.ArrayLike | None "
              "= None) -> "
              "Tensor"),
      "softmax over the first valid_lens of the last dimension: (B,) or (B, Lq). A length of 0 gives "
      "zeros.\n\n"
      ">>> heed.masked_softmax(heed.zeros((1, 1, 3)), [2])\ntensor([[[0.5000, 0.5000, 0.0000]]])");
}

void bind_masking(nb::module_& m) {
  m.def(
      "masked_softmax_where",
      [](const Real& scores, const Input& mask) { return masked_softmax_where(scores, mask); }, "scores"_a,
      "mask"_a, WhileComputing(),
      "softmax over what the boolean mask, which broadcasts, lets through.\n\n"
      ">>> heed.masked_softmax_where([0.0, 0.0, 0.0], [True, False, True])\ntensor([0.5000, 0.0000, "
      "0.5000])");
  m.def(
      "sequence_mask",
      [](const Input& x, nb::object lens, Scalar value) {
        const Tensor lengths = to_whole(lens, "sequence_mask: valid_lens");
        const Computing computing;
        return sequence_mask(x, lengths, value);
      },
      "x"_a, "valid_lens"_a, "value"_a = 0,
      nb::sig("def sequence_mask(x: heed._typing.ArrayLike, valid_lens: heed._typing.ArrayLike, value: float "
              "= 0) -> "
              "Tensor"),
      "x (N, L, ...) with everything from position valid_lens[n] on replaced by value.\n\n"
      ">>> heed.sequence_mask([[1.0, 2.0, 3.0]], [2])\ntensor([[1., 2., 0.]])");
}

void bind_joining(nb::module_& m) {
  m.def(
      "matmul", [](const Real& a, const Real& b) { return matmul(a, b); }, "a"_a, "b"_a, WhileComputing(),
      "(..., m, k) x (..., k, n) -> (..., m, n); also a @ b.\n\n>>> heed.matmul(heed.eye(2), [[1.0], "
      "[2.0]]).tolist()\n"
      "[[1.0], [2.0]]");
  m.def(
      "bmm", [](const Real& a, const Real& b) { return bmm(a, b); }, "a"_a, "b"_a, WhileComputing(),
      "(B, m, k) x (B, k, n) -> (B, m, n)\n\n>>> heed.bmm(heed.ones((2, 1, 4)), heed.ones((2, 4, "
      "6))).shape\n(2, 1, 6)");
  m.def(
      "cat", [](const std::vector<Input>& xs, std::int64_t dim) { return cat(as_tensors(xs), dim); },
      "tensors"_a, "dim"_a = 0, WhileComputing(),
      "One after the other.\n\n>>> heed.cat([[1.0], [2.0]])\ntensor([1., 2.])");
  m.def(
      "stack", [](const std::vector<Input>& xs, std::int64_t dim) { return stack(as_tensors(xs), dim); },
      "tensors"_a, "dim"_a = 0, WhileComputing(),
      "Along a new dimension.\n\n>>> heed.stack([[1.0], [2.0]]).shape\n(2, 1)");
  m.def(
      "repeat_interleave",
      [](const Input& x, std::int64_t repeats, std::int64_t dim) {
        return repeat_interleave(x, repeats, dim);
      },
      "x"_a, "repeats"_a, "dim"_a = 0, WhileComputing(),
      "Each slice repeated in a row.\n\n>>> heed.repeat_interleave([1.0, 2.0], 2)\ntensor([1., 1., 2., 2.])");
  m.def(
      "gather",
      [](const Input& x, std::int64_t dim, const Input& index) { return gather(x, dim, index.to(i64)); },
      "x"_a, "dim"_a, "index"_a, WhileComputing(),
      "out[i][j] = x[i][index[i][j]] for dim = 1.\n\n>>> heed.gather([[1.0, 2.0]], 1, [[1, "
      "1]])\ntensor([[2., 2.]])");
  m.def(
      "embedding", [](const Input& table, const Input& indices) { return embedding(table, indices.to(i64)); },
      "table"_a, "indices"_a, WhileComputing(),
      "Rows of table at indices.\n\n>>> heed.embedding(heed.eye(2), [1])\ntensor([[0., 1.]])");
}

void bind_layers_and_losses(nb::module_& m) {
  m.def(
      "dropout",
      [](const Real& x, double p, Generator* g) { return dropout(x, p, g ? *g : default_generator()); },
      "x"_a, "p"_a, "generator"_a = nb::none(), WhileComputing(),
      "Each element 0 with probability p, the rest scaled by 1/(1-p).\n\n>>> heed.dropout([1.0], "
      "0)\ntensor([1.])");
  m.def(
      "layer_norm",
      [](const Real& x, const Shape& normalized, const std::optional<Real>& weight,
         const std::optional<Real>& bias, double epsilon) {
        return layer_norm(x, normalized, {optional_tensor(weight), optional_tensor(bias), epsilon});
      },
      "x"_a, "normalized"_a, nb::kw_only(), "weight"_a = nb::none(), "bias"_a = nb::none(),
      "epsilon"_a = 1e-5, WhileComputing(),
      "(x - mean) / sqrt(variance + epsilon) * weight + bias over the last dims.\n\n"
      ">>> heed.layer_norm([1.0, 3.0], (2,))\ntensor([-1.0000,  1.0000])");
  m.def(
      "l2_loss", [](const Real& prediction, const Real& target) { return l2_loss(prediction, target); },
      "prediction"_a, "target"_a, WhileComputing(),
      "(prediction - target)^2 / 2, one per sample.\n\n>>> heed.l2_loss([3.0], [1.0])\ntensor([2.])");
  m.def(
      "mse_loss", [](const Real& prediction, const Real& target) { return mse_loss(prediction, target); },
      "prediction"_a, "target"_a, WhileComputing(),
      "Mean of (prediction - target)^2.\n\n>>> heed.mse_loss([3.0], [1.0])\ntensor(4.)");
  m.def(
      "cross_entropy",
      [](const Real& logits, const Input& target) { return cross_entropy(logits, target.to(i64)); },
      "logits"_a, "target"_a, WhileComputing(),
      "Mean of -log softmax(logits)[target].\n\n>>> heed.cross_entropy([[0.0, 0.0]], [1])\ntensor(0.6931)");
}

}  // namespace

void bind_ops(nb::module_& m) {
  bind_elementwise(m);
  bind_reductions(m);
  bind_masking(m);
  bind_joining(m);
  bind_layers_and_losses(m);
}

}  // namespace heed::python
