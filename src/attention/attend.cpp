// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/call.h"
#include "attention/geometry.h"
#include "attention/mask.h"
#include "attention/score.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"

#include <heed/attend.h>

#include <algorithm>
#include <cmath>

namespace heed {
namespace {

using detail::AttendOperands;
using detail::AttendSettings;
using detail::headed;
using detail::headed_broadcast;
using kernels::kernels_for;

void check_bias(const Tensor& bias, const AttendSettings& s) {
  if (!bias.defined()) return;
  check(bias.dtype() == s.dtype, "attend", "bias must be {} like queries, found {}{}", s.dtype, bias.dtype(),
        bias.dtype() == boolean ? "; a boolean tensor is a mask: mask(tensor)" : "");
  const Shape scores = s.score_shape();
  check(detail::broadcasts_to(bias.shape(), scores), "attend",
        "bias of shape {} does not broadcast to the scores {}", bias.shape(), scores);
}

kernels::AttentionDropout make_dropout(const AttendOptions& options) {
  const double p = options.dropout;
  check(p >= 0 && p <= 1, "attend", "dropout must lie in 0..1, found {}", p);
  if (p == 0) return {};
  Generator& generator = options.generator ? *options.generator : default_generator();
  return {static_cast<std::uint32_t>(std::lround(p * 65536)), generator.next()};
}

/// 0: none.
double checked_softcap(const AttendOptions& options, Dtype dtype) {
  if (!options.softcap) return 0;
  check(*options.softcap > 0 && std::isfinite(*options.softcap), "attend",
        "softcap must be positive and finite, found {}", *options.softcap);
  // Near the ends of the dtype's range, where it could not be divided by: one that is larger caps nothing, and beside one that is
  // smaller all scores are alike.
  const double least = dtype == f32 ? 1e-30 : 1e-290, most = dtype == f32 ? 1e30 : 1e290;
  return *options.softcap > most ? 0 : std::max(*options.softcap, least);
}

/// Memory laid out as x's: where x is a (B, H, L, D) view of (B, L, H, D) memory, as heads of a projection are, the
/// new tensor is one too, so that merging the heads again is free.
Tensor allocate_like(const Tensor& x, const Shape& shape, Tensor (*make)(const Shape&, Dtype)) {
  const bool heads_inside = shape.rank() == 4 && x.strides()[1] < x.strides()[2];
  if (!heads_inside) return make(shape, x.dtype());
  return make({shape[0], shape[2], shape[1], shape[3]}, x.dtype()).transpose(1, 2);
}

struct Forward {
  AttendSettings settings;
  AttendOperands operands = {};
  Tensor output = {}, log_sum_exp = {};
};

/// Checks everything and prepares the score. The operands are on the tape; the results are yet to come.
Forward prepare_forward(const Tensor& queries, const Tensor& keys, const Tensor& values,
                        const AttendOptions& options) {
  Forward f{.settings = detail::call_geometry(queries, keys, values)};
  AttendSettings& s = f.settings;
  check_bias(options.bias, s);
  s.softcap = checked_softcap(options, queries.dtype());
  detail::apply_mask(options.mask, s, f.operands, "attend");
  const detail::PreparedScore score = std::visit(
      [&](const auto& chosen) {
        return detail::prepare(chosen, {queries, keys, options});
      },
      options.score);
  s.score = score.kind;
  s.scale = score.scale;
  s.D = score.queries.size(-1);
  s.dropout = make_dropout(options);
  f.operands.queries = score.queries;
  f.operands.keys = score.keys;
  f.operands.values = values;
  f.operands.bias = options.bias;
  f.operands.score_weights = score.weights;
  return f;
}

/// The same, and runs the kernel. The results are not on the tape yet.
Forward run_forward(const Tensor& queries, const Tensor& keys, const Tensor& values,
                    const AttendOptions& options) {
  Forward f = prepare_forward(queries, keys, values, options);
  const AttendSettings& s = f.settings;
  const NoGrad guard;
  f.output = allocate_like(f.operands.queries, s.query_shape(s.Dv), empty);
  f.log_sum_exp = empty(s.row_shape(), s.dtype);
  kernels_for(queries).attend_forward(
      {detail::make_problem(s, f.operands), headed(f.output), detail::raw_mutable(f.log_sum_exp)});
  return f;
}

/// Gradients of (queries, keys, values, bias, score weights), undefined for those that are not wanted.
class Backward {
 public:
  explicit Backward(const Forward& f)
      : settings_(f.settings), operands_(f.operands), output_(f.output), log_sum_exp_(f.log_sum_exp) {
    const AttendOperands& o = f.operands;
    const Tensor* inputs[] = {&o.queries, &o.keys, &o.values, &o.bias, &o.score_weights};
    for (std::size_t n = 0; n < 5; ++n) wanted_[n] = inputs[n]->requires_grad();
  }

  Gradients operator()(const Tensor& grad_output, const Tensor& grad_log_sum_exp) const {
    const AttendOperands o = operands_();
    const auto gradient_of = [&](std::size_t n, const Tensor& x) {
      return wanted_[n] ? allocate_like(x, x.shape(), empty) : Tensor();
    };
    Gradients grads = {gradient_of(0, o.queries), gradient_of(1, o.keys), gradient_of(2, o.values),
                       wanted_[3] ? zeros_like(o.bias) : Tensor(),
                       wanted_[4] ? zeros_like(o.score_weights) : Tensor()};
    const auto target = [](const Tensor& grad) {
      return grad.defined() ? headed(grad) : kernels::HeadedMatrix{};
    };
    kernels::AttendBackward b;
    b.problem = detail::make_problem(settings_, o);
    b.out = headed(output_());
    b.grad_out = headed(grad_output);
    b.log_sum_exp = detail::raw(log_sum_exp_());
    const Tensor grad_lse = grad_log_sum_exp.defined() ? grad_log_sum_exp.contiguous() : Tensor();
    b.grad_log_sum_exp = grad_lse.defined() ? detail::raw(grad_lse) : nullptr;
    b.grad_queries = target(grads[0]);
    b.grad_keys = target(grads[1]);
    b.grad_values = target(grads[2]);
    b.grad_bias = headed_broadcast(grads[3], settings_.score_shape());
    b.grad_score_weights = wanted_[4] ? detail::raw_mutable(grads[4]) : nullptr;
    kernels_for(grad_output).attend_backward(b);
    return grads;
  }

 private:
  AttendSettings settings_;
  detail::SavedOperands operands_;
  Saved output_, log_sum_exp_;
  bool wanted_[5] = {};
};

bool needs_grad(const AttendOperands& o) {
  return heed::needs_grad(o.queries, o.keys, o.values, o.bias, o.score_weights);
}

}  // namespace

Tensor attend(const Tensor& queries, const Tensor& keys, const Tensor& values, const AttendOptions& options) {
  const Forward f = run_forward(queries, keys, values, options);
  const AttendOperands& o = f.operands;
  if (!needs_grad(o)) return f.output;
  return record("attend", f.output, {o.queries, o.keys, o.values, o.bias, o.score_weights},
                [backward = Backward(f)](const Tensor& grad) { return backward(grad, {}); });
}

namespace {

/// The results of a call with its weights on demand, on the tape if a gradient is wanted.
AttendResult finish(const Forward& f) {
  const AttendOperands& o = f.operands;
  AttendOperands kept = o;
  kept.values = Tensor();
  // A score's weights are few, and an optimiser will change them: a copy keeps the weights of this very call.
  if (kept.score_weights.defined()) kept.score_weights = kept.score_weights.detach().clone();
  AttendResult result{f.output, f.log_sum_exp,
                      AttentionWeights(std::make_shared<AttentionWeights::Call>(AttentionWeights::Call{
                          f.settings, detail::SavedOperands(kept), f.log_sum_exp.detach()}))};
  if (needs_grad(o)) {
    record_outputs(
        "attend", {result.output, result.log_sum_exp}, {o.queries, o.keys, o.values, o.bias, o.score_weights},
        [backward = Backward(f)](std::span<const Tensor> grads) { return backward(grads[0], grads[1]); });
  }
  return result;
}

void check_result(const Tensor& x, const Shape& shape, const AttendSettings& s, const char* argument) {
  check_dtype(x, s.dtype, "attend_recorded", argument);
  check(x.shape() == shape, "attend_recorded", "{} must have shape {}, found {}", argument, shape, x.shape());
}

}  // namespace

AttendResult attend_with_weights(const Tensor& queries, const Tensor& keys, const Tensor& values,
                                 const AttendOptions& options) {
  return finish(run_forward(queries, keys, values, options));
}

AttendResult attend_recorded(const Tensor& queries, const Tensor& keys, const Tensor& values,
                             const AttendOptions& options, const KnownResult& known) {
  Forward f = prepare_forward(queries, keys, values, options);
  check_result(known.output, f.settings.query_shape(f.settings.Dv), f.settings, "output");
  check_result(known.log_sum_exp, f.settings.row_shape(), f.settings, "log_sum_exp");
  f.output = known.output.detach();
  f.log_sum_exp = known.log_sum_exp.detach().contiguous();
  return finish(f);
}

OutputAndWeights attention(const Tensor& query, const Tensor& key, const Tensor& value, double dropout) {
  const AttendResult result = attend_with_weights(query, key, value, {.dropout = dropout});
  return {result.output, result.weights()};
}

}  // namespace heed
