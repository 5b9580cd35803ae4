// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The engine against the reference, kernel against kernel: the same problem in the contract's terms.
#include "attention/call.h"
#include "attention/geometry.h"
#include "attention/mask.h"
#include "attention/score.h"
#include "core/tensor_impl.h"
#include "kernels/reference/attention.h"
#include "kernels/table.h"
#include "support/attention_cases.h"

#include <gtest/gtest.h>

#include <numeric>

namespace heed::test {
namespace {

/// A call as attend() prepares it, without dropout's generator.
struct Prepared {
  detail::AttendSettings settings;
  detail::AttendOperands operands;

  explicit Prepared(const AttentionProblem& p)
      : settings(detail::call_geometry(p.queries, p.keys, p.values)) {
    detail::apply_mask(p.options.mask, settings, operands, "test");
    const detail::PreparedScore score = std::visit(
        [&](const auto& chosen) {
          return detail::prepare(chosen, {p.queries, p.keys, p.options});
        },
        p.options.score);
    settings.score = score.kind;
    settings.scale = score.scale;
    settings.D = score.queries.size(-1);
    settings.softcap = p.options.softcap.value_or(0);
    settings.dropout = {static_cast<std::uint32_t>(p.options.dropout * 65536), 17};
    operands.queries = score.queries;
    operands.keys = score.keys;
    operands.values = p.values;
    operands.bias = p.options.bias;
    operands.score_weights = score.weights;
  }

  kernels::AttendProblem problem() const { return detail::make_problem(settings, operands); }
};

struct Results {
  Tensor output, log_sum_exp, weights;
  std::vector<Tensor> gradients;
};

using Forward = void (*)(const kernels::AttendForward&);
using Backward = void (*)(const kernels::AttendBackward&);
using Weights = void (*)(const kernels::AttendWeights&);

Results run(const Prepared& call, const Tensor& grad, Forward forward, Backward backward, Weights weights) {
  const detail::AttendSettings& s = call.settings;
  const detail::AttendOperands& o = call.operands;
  Results r{empty(s.query_shape(s.Dv), s.dtype),
            empty(s.row_shape(), s.dtype),
            empty(s.score_shape(), s.dtype),
            {}};
  forward({call.problem(), detail::headed(r.output), detail::raw_mutable(r.log_sum_exp)});

  std::vector<std::int64_t> heads(static_cast<std::size_t>(s.H)), rows(static_cast<std::size_t>(s.Lq));
  std::iota(heads.begin(), heads.end(), 0);
  std::iota(rows.begin(), rows.end(), 0);
  weights({call.problem(), detail::raw(r.log_sum_exp), heads.data(), rows.data(), s.H, s.Lq,
           detail::raw_mutable(r.weights)});

  r.gradients = {zeros_like(o.queries), zeros_like(o.keys), zeros_like(o.values)};
  if (o.bias.defined()) r.gradients.push_back(zeros_like(o.bias));
  kernels::AttendBackward b;
  b.problem = call.problem();
  b.out = detail::headed(r.output);
  b.grad_out = detail::headed(grad);
  b.log_sum_exp = detail::raw(r.log_sum_exp);
  b.grad_queries = detail::headed(r.gradients[0]);
  b.grad_keys = detail::headed(r.gradients[1]);
  b.grad_values = detail::headed(r.gradients[2]);
  if (o.bias.defined()) b.grad_bias = detail::headed_broadcast(r.gradients[3], s.score_shape());
  backward(b);
  return r;
}

class AgainstReference : public testing::TestWithParam<ScoreName> {};

TEST_P(AgainstReference, ForwardBackwardAndWeights) {
  const NoGrad guard;
  Generator g(13);
  for (int n = 0; n < 200; ++n) {
    AttentionCase c = n % 50 < 2 ? random_long_case(g, GetParam()) : random_case(g, GetParam());
    c.dtype = n % 2 ? f32 : f64;
    SCOPED_TRACE(c.describe());
    const AttentionProblem p = build(c, g);
    const Prepared call(p);
    const Tensor grad = normal(call.settings.query_shape(c.Dv), {}, c.dtype, g);
    const kernels::KernelTable& engine = kernels::kernels_for(grad);
    const Results found =
        run(call, grad, engine.attend_forward, engine.attend_backward, engine.attend_weights);
    const Results expected = run(call, grad, kernels::reference::attend_forward,
                                 kernels::reference::attend_backward, kernels::reference::attend_weights);
    const Closeness close = c.dtype == f64 ? Closeness{.relative = 1e-9, .absolute = 1e-10}
                                           : Closeness{.relative = 1e-4, .absolute = 1e-4};
    ASSERT_TRUE(all_close(found.output, expected.output, close));
    ASSERT_TRUE(all_close(found.log_sum_exp, expected.log_sum_exp, close));
    ASSERT_TRUE(all_close(found.weights, expected.weights, close));
    for (std::size_t m = 0; m < found.gradients.size(); ++m) {
      ASSERT_TRUE(all_close(found.gradients[m], expected.gradients[m], close)) << "input " << m;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, AgainstReference, testing::ValuesIn(kAllScores),
                         [](const auto& score) { return text(score.param); });

}  // namespace
}  // namespace heed::test
