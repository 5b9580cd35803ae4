// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// attend as an operator of PyTorch: forward and backward with nothing but tensors and plain values for arguments, which is
// what torch.library can carry. python/heed/torch/operator.py registers them.
#include "bind.h"

#include <heed/attend.h>
#include <heed/autograd.h>
#include <heed/error.h>
#include <heed/ops.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace heed::python {
namespace {

Tensor operand(nb::handle array, const char* where, Elements elements = Elements::kFloating) {
  if (std::optional<Tensor> tensor = borrow_array(array, where, Access::kOperator, elements))
    return *std::move(tensor);
  throw nb::type_error((std::string(where) + " must be a tensor").c_str());
}

/// The arguments that forward and backward have in common, in the order in which they come.
struct Call {
  explicit Call(const nb::tuple& call)
      : queries(call[0]),
        keys(call[1]),
        values(call[2]),
        bias(call[3]),
        lengths(nb::cast<Handles>(call[4])),
        allowed(nb::cast<Handles>(call[5])),
        windows(nb::cast<std::vector<std::int64_t>>(call[6])),
        score(nb::cast<std::string>(call[7])),
        parameters(nb::cast<Handles>(call[8])),
        scale(nb::cast<std::optional<double>>(call[9])),
        softcap(nb::cast<std::optional<double>>(call[10])),
        dropout(nb::cast<double>(call[11])),
        seed(call[12].is_none() ? 0 : nb::cast<std::uint64_t>(nb::int_(call[12]))) {}

  using Handles = std::vector<nb::object>;
  nb::object queries, keys, values, bias;
  Handles lengths, allowed;
  std::vector<std::int64_t> windows;  ///< left, right, corner for each; -1 stands for none
  std::string score;
  Handles parameters;
  std::optional<double> scale, softcap;
  double dropout;
  std::uint64_t seed;  ///< comes as a tensor, so that nobody has to wait for it
};

/// The operands of a call, each wanting a gradient or not, in the order queries, keys, values, bias, parameters.
class Prepared {
 public:
  Prepared(const Call& call, const std::vector<bool>& wanted) : generator_(call.seed) {
    leaves_ = {operand(call.queries, "attend: queries"), operand(call.keys, "attend: keys"),
               operand(call.values, "attend: values"),
               call.bias.is_none() ? Tensor() : operand(call.bias, "attend: bias")};
    for (nb::handle parameter : call.parameters) leaves_.push_back(operand(parameter, "attend: parameters"));
    for (std::size_t i = 0; i < wanted.size() && i < leaves_.size(); ++i) {
      if (wanted[i]) leaves_[i].requires_grad_();
    }
    options_.score = make_score(call);
    options_.mask = make_mask(call);
    options_.bias = leaves_[3];
    options_.softcap = call.softcap;
    options_.dropout = call.dropout;
    options_.generator = &generator_;
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const Tensor& queries() const { return leaves_[0]; }
  const Tensor& keys() const { return leaves_[1]; }
  const Tensor& values() const { return leaves_[2]; }
  const AttendOptions& options() const { return options_; }
  const std::vector<Tensor>& leaves() const { return leaves_; }

 private:
  Score make_score(const Call& call) const {
    const auto parameter = [&](std::size_t i) { return leaves_.at(4 + i); };
    if (call.score == "scaled_dot") return ScaledDot{call.scale};
    if (call.score == "dot") return Dot{};
    if (call.score == "gaussian") return Gaussian{.bandwidth = parameter(0)};
    if (call.score == "gaussian_w") return Gaussian{.w = parameter(0)};
    if (call.score == "additive") return Additive{parameter(0), parameter(1), parameter(2)};
    throw Error("attend: no score has the name \"" + call.score + "\"");
  }

  static Mask make_mask(const Call& call) {
    Mask mask;
    for (nb::handle lengths : call.lengths)
      mask = mask & valid_lens(to_whole(operand(lengths, "attend: valid_lens", Elements::kAny),
                                        "attend: valid_lens"));
    for (nb::handle allowed : call.allowed)
      mask = mask & heed::mask(operand(allowed, "attend: mask", Elements::kAny));
    const auto reach = [](std::int64_t n) { return n < 0 ? std::nullopt : std::optional(n); };
    for (std::size_t i = 0; i + 2 < call.windows.size(); i += 3) {
      const std::int64_t corner = call.windows[i + 2];
      WindowOptions window{reach(call.windows[i]), reach(call.windows[i + 1])};
      if (corner >= 0) window.align = corner == 0 ? Align::kTopLeft : Align::kBottomRight;
      mask = mask & heed::window(window);
    }
    return mask;
  }

  Generator generator_;
  std::vector<Tensor> leaves_;
  AttendOptions options_;
};

nb::object forward(const nb::tuple& arguments) {
  const Call call(arguments);
  const Prepared prepared(call, {});
  AttendResult result;
  {
    const Computing computing;
    result = attend_with_weights(prepared.queries(), prepared.keys(), prepared.values(), prepared.options());
  }
  const Origin origin = origin_of(call.queries);
  return nb::make_tuple(to_origin(result.output, origin), to_origin(result.log_sum_exp, origin));
}

/// Gradients of those operands that are wanted, one after the other.
nb::object gradients(const nb::tuple& arguments, nb::handle output, nb::handle lse, nb::handle grad_output,
                     nb::handle grad_lse, const std::vector<bool>& wanted) {
  const Call call(arguments);
  const Prepared prepared(call, wanted);
  const KnownResult known{operand(output, "attend: output"), operand(lse, "attend: log_sum_exp")};
  const Tensor grad = operand(grad_output, "attend: grad_output"),
               grad_of_lse = operand(grad_lse, "attend: grad_lse");
  {
    const Computing computing;
    const AttendResult result =
        attend_recorded(prepared.queries(), prepared.keys(), prepared.values(), prepared.options(), known);
    const Tensor roots[] = {result.output, result.log_sum_exp}, seeds[] = {grad, grad_of_lse};
    backward(roots, seeds);
  }
  const Origin origin = origin_of(call.queries);
  nb::list grads;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    const Tensor found = prepared.leaves()[i].grad();
    grads.append(to_origin(found.defined() ? found : zeros_like(prepared.leaves()[i]), origin));
  }
  return grads;
}

/// The call with nothing said but queries, keys and values, which is the usual one: as long as a small call takes, looking
/// at options that are not there would be half of it.
struct Plain {
  Plain(nb::handle q, nb::handle k, nb::handle v)
      : queries(operand(q, "attend: queries")),
        keys(operand(k, "attend: keys")),
        values(operand(v, "attend: values")),
        origin(origin_of(q)) {}
  Tensor queries, keys, values;
  Origin origin;
};

nb::object plain_output(nb::handle q, nb::handle k, nb::handle v) {
  const Plain call(q, k, v);
  Tensor out;
  {
    const Computing computing;
    out = attend(call.queries, call.keys, call.values);
  }
  return to_origin(out, call.origin);
}

/// The output, and the log-sum-exp as a heed.Tensor: nobody but the backward pass looks at it.
nb::object plain_forward(nb::handle q, nb::handle k, nb::handle v) {
  const Plain call(q, k, v);
  AttendResult result;
  {
    const Computing computing;
    result = attend_with_weights(call.queries, call.keys, call.values);
  }
  return nb::make_tuple(to_origin(result.output, call.origin), result.log_sum_exp);
}

/// Gradients of queries, keys and values, None where they are not wanted.
nb::object plain_gradients(nb::handle q, nb::handle k, nb::handle v, nb::handle output, const Tensor& lse,
                           nb::handle grad_output, bool wants_q, bool wants_k, bool wants_v) {
  const Plain call(q, k, v);
  const bool wanted[] = {wants_q, wants_k, wants_v};
  const Tensor* leaves[] = {&call.queries, &call.keys, &call.values};
  for (std::size_t i = 0; i < 3; ++i) {
    if (wanted[i]) leaves[i]->requires_grad_();
  }
  const KnownResult known{operand(output, "attend: output"), lse};
  const Tensor grad = operand(grad_output, "attend: grad_output");
  {
    const Computing computing;
    attend_recorded(call.queries, call.keys, call.values, {}, known).output.backward(grad);
  }
  nb::object found[3];
  for (std::size_t i = 0; i < 3; ++i) {
    found[i] = wanted[i] ? to_origin(leaves[i]->grad().contiguous(), call.origin) : nb::none();
  }
  return nb::make_tuple(found[0], found[1], found[2]);
}

}  // namespace

void bind_operator(nb::module_& m) {
  m.def("_attend_plain", &plain_output);
  m.def("_attend_plain_forward", &plain_forward);
  m.def("_attend_plain_backward", &plain_gradients);
  m.def("_attend_forward", &forward);
  m.def("_attend_backward", &gradients);
}

}  // namespace heed::python
