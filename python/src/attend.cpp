// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"
#include "nested.h"
#include "shown.h"

#include <heed/attend.h>
#include <heed/error.h>
#include <heed/explain.h>
#include <heed/nn/dropout.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace heed::python {
namespace {

/// What attention is computed of: numbers of any kind, in the end all of one type.
class Operands {
 public:
  Operands(nb::handle q, nb::handle k, nb::handle v)
      : queries(take(q, "attend: queries")),
        keys(take(k, "attend: keys")),
        values(take(v, "attend: values")) {
    for (Tensor* x : {&queries, &keys, &values}) *x = fitting(*x);
  }

  /// Another one: the bias.
  Tensor more(nb::handle array, const char* where) { return fitting(take(array, where)); }

  Origin origin() const { return origin_.value_or(Origin{}); }

 private:
  /// Arrays of floating-point numbers decide on the type; lists and integers follow them.
  Tensor take(nb::handle value, const char* where) {
    if (std::optional<Tensor> array = array_tensor(value, where, Elements::kFloating)) {
      if (!origin_) origin_ = origin_of(value);
      if (is_floating(array->dtype()) && !dtype_) dtype_ = array->dtype();
      return *std::move(array);
    }
    if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
      return lists_.emplace_back(from_nested_exactly(value, where));
    }
    throw nb::type_error(
        (std::string(where) +
         " must be an array (NumPy, PyTorch, JAX, heed.Tensor, ...) or nested lists of numbers, found " +
         kind_of(value))
            .c_str());
  }

  Tensor fitting(const Tensor& x) const {
    const bool follows = x.dtype() == i64 || std::ranges::any_of(lists_, [&](const Tensor& list) {
                           return list.impl() == x.impl() && list.dtype() != boolean;
                         });
    return follows ? x.to(dtype_.value_or(f32)) : x;
  }

  std::optional<Origin> origin_;
  std::optional<Dtype> dtype_;
  std::vector<Tensor> lists_;

 public:
  Tensor queries, keys, values;  ///< after what they are made by
};

/// The options of a call, and the generator they point to.
struct Options {
  Options(Operands& operands, const std::optional<ScoreInput>& score, const std::optional<MaskInput>& mask,
          nb::handle bias, std::optional<double> softcap, double dropout, std::optional<std::uint64_t> seed)
      : generator(seed.value_or(0)) {
    if (score) options.score = score->score;
    if (mask) options.mask = *mask;
    if (!bias.is_none()) options.bias = operands.more(bias, "attend: bias");
    options.softcap = softcap;
    options.dropout = dropout;
    if (seed) options.generator = &generator;
  }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  AttendOptions options;
  Generator generator;
};

nb::object attend_arrays(nb::handle queries, nb::handle keys, nb::handle values,
                         const std::optional<ScoreInput>& score, const std::optional<MaskInput>& mask,
                         nb::handle bias, std::optional<double> softcap, double dropout,
                         std::optional<std::uint64_t> seed, bool return_weights, bool return_lse) {
  Operands operands(queries, keys, values);
  const auto& [q, k, v] = std::tie(operands.queries, operands.keys, operands.values);
  const Origin origin = operands.origin();
  const Options call(operands, score, mask, bias, softcap, dropout, seed);
  if (!return_weights && !return_lse) {
    Tensor out;
    {
      const Computing computing;
      out = attend(q, k, v, call.options);
    }
    return to_origin(out, origin);
  }
  AttendResult result;
  Tensor weights;
  {
    const Computing computing;
    result = attend_with_weights(q, k, v, call.options);
    if (return_weights) weights = result.weights();
  }
  const nb::object out = to_origin(result.output, origin);
  if (!return_lse) return nb::make_tuple(out, to_origin(weights, origin));
  const nb::object lse = to_origin(result.log_sum_exp, origin);
  return return_weights ? nb::make_tuple(out, to_origin(weights, origin), lse) : nb::make_tuple(out, lse);
}

/// Of a probability, or of a module that has one.
double rate_of(nb::handle dropout) {
  if (dropout.is_none()) return 0;
  if (const nn::Dropout * module; nb::try_cast(dropout, module, false) && module) return module->rate();
  if (double p = 0; nb::try_cast(dropout, p)) return p;
  throw nb::type_error(
      (std::string("attention: dropout must be a number or a heed.nn.Dropout, found ") + kind_of(dropout))
          .c_str());
}

constexpr const char* kAttendDoc =
    R"(Attention pooling: f(q) = sum_i softmax_i(score(q, k_i)) v_i.

queries (Lq, D), keys (Lk, D), values (Lk, Dv) -> (Lq, Dv); also with leading (B,) or (B, H), and fewer heads of keys and
values than of queries. Arrays of any library that speaks DLPack or the buffer protocol, of f32 or f64 and any strides, are
read where they lie; the result is an array of the library that queries come from. A heed.Tensor carries gradients. Lists and
integers take the type of the others, or f32.

score: ScaledDot(), Dot(), Gaussian(), Additive(), or "scaled-dot", "dot", "gaussian". mask: valid_lens, causal, window, mask,
composed by &, or a boolean array. bias is added to
the scores. softcap=c makes them c tanh(score / c). dropout acts on the weights, by seed or the thread's generator.
return_weights and return_lse add the weights (before dropout) and the log-sum-exp of each row to the result.

>>> q, k, v = np.zeros((1, 2)), np.ones((3, 2)), np.eye(3)
>>> heed.attend(q, k, v, mask=heed.mask([True, True, False]))
array([[0.5, 0.5, 0. ]])
>>> out, weights = heed.attend(q, k, v, return_weights=True)
>>> weights.shape
(1, 3))";

void bind_weights(nb::module_& m) {
  nb::class_<AttentionWeights>(
      m, "AttentionWeights",
      "The weights of one call, computed when asked for and only where asked for.\n\n"
      ">>> x = heed.ones((4, 2))\n"
      ">>> heed.attend_with_weights(x, x, x).weights(rows=[0]).shape\n(1, 4)")
      .def(
          "__call__",
          [](const AttentionWeights& weights, const std::vector<std::int64_t>& heads,
             const std::vector<std::int64_t>& rows) {
            return weights({heads, rows});
          },
          nb::kw_only(), "heads"_a = nb::tuple(), "rows"_a = nb::tuple(), WhileComputing());
  nb::class_<AttendResult>(m, "AttendResult",
                           "What a call of attend knows.\n\n>>> x = heed.ones((4, 2))\n"
                           ">>> heed.attend_with_weights(x, x, x).output.shape\n(4, 2)")
      .def_ro("output", &AttendResult::output, "What attend gives.")
      .def_ro("log_sum_exp", &AttendResult::log_sum_exp,
              "log sum_j exp(score_j) per row; carries a gradient.")
      .def_ro("weights", &AttendResult::weights, "Weights on demand.");
}

#define HEED_ATTEND_OPTIONS                                                            \
  nb::kw_only(), "score"_a = nb::none(), "mask"_a = nb::none(), "bias"_a = nb::none(), \
                 "softcap"_a = nb::none(), "dropout"_a = 0.0, "seed"_a = nb::none()
#define HEED_ATTEND_TYPES                                                                                  \
  "*, score: heed._typing.ScoreLike | None = None, mask: heed._typing.MaskLike | None = None, "            \
  "bias: heed._typing.ArrayLike | None = None, softcap: float | None = None, dropout: float = 0.0, seed: " \
  "int | None = None"

}  // namespace

void bind_attend(nb::module_& m) {
  m.def("attend", &attend_arrays, "queries"_a.none(), "keys"_a.none(), "values"_a.none(), HEED_ATTEND_OPTIONS,
        "return_weights"_a = false, "return_lse"_a = false,
        nb::sig("def attend(queries: typing.Any, keys: typing.Any, values: typing.Any, " HEED_ATTEND_TYPES
                ", return_weights: bool = False, return_lse: bool = False) -> typing.Any"),
        kAttendDoc);
  bind_weights(m);
  m.def(
      "attention",
      [](nb::handle query, nb::handle key, nb::handle value, nb::handle dropout) {
        Operands operands(query, key, value);
        const double p = rate_of(dropout);
        OutputAndWeights result;
        {
          const Computing computing;
          result = attention(operands.queries, operands.keys, operands.values, p);
        }
        const Origin origin = operands.origin();
        return nb::make_tuple(to_origin(result.output, origin), to_origin(result.weights, origin));
      },
      "query"_a.none(), "key"_a.none(), "value"_a.none(), "dropout"_a = nb::none(),
      nb::sig("def attention(query: typing.Any, key: typing.Any, value: typing.Any, dropout: float | "
              "heed._core._nn.Dropout | None = None) -> tuple[typing.Any, typing.Any]"),
      "Scaled dot-product attention as the notes write it by hand: output and weights. dropout is a "
      "probability or a "
      "heed.nn.Dropout; the weights given back are those before it.\n\n"
      ">>> x = heed.ones((1, 2, 3))\n>>> out, weights = heed.attention(x, x, x)\n>>> weights\n"
      "tensor([[[0.5000, 0.5000],\n         [0.5000, 0.5000]]])");
  m.def(
      "attend_with_weights",
      [](nb::handle queries, nb::handle keys, nb::handle values, const std::optional<ScoreInput>& score,
         const std::optional<MaskInput>& mask, nb::handle bias, std::optional<double> softcap, double dropout,
         std::optional<std::uint64_t> seed) {
        Operands operands(queries, keys, values);
        const Options call(operands, score, mask, bias, softcap, dropout, seed);
        const Computing computing;
        return attend_with_weights(operands.queries, operands.keys, operands.values, call.options);
      },
      "queries"_a.none(), "keys"_a.none(), "values"_a.none(), HEED_ATTEND_OPTIONS,
      nb::sig(
          "def attend_with_weights(queries: heed._typing.ArrayLike, keys: heed._typing.ArrayLike, values: "
          "heed._typing.ArrayLike, " HEED_ATTEND_TYPES ") -> AttendResult"),
      "attend, with everything else it knows, as tensors.\n\n"
      ">>> x = heed.ones((4, 2))\n>>> heed.attend_with_weights(x, x, x).log_sum_exp.shape\n(4,)");
  m.def(
      "explain",
      [](nb::handle queries, nb::handle keys, nb::handle values, const std::optional<ScoreInput>& score,
         const std::optional<MaskInput>& mask, nb::handle bias, std::optional<double> softcap, double dropout,
         std::optional<std::uint64_t> seed) {
        Operands operands(queries, keys, values);
        const Options call(operands, score, mask, bias, softcap, dropout, seed);
        return explain(operands.queries, operands.keys, operands.values, call.options).text();
      },
      "queries"_a.none(), "keys"_a.none(), "values"_a.none(), HEED_ATTEND_OPTIONS,
      nb::sig("def explain(queries: heed._typing.ArrayLike, keys: heed._typing.ArrayLike, values: "
              "heed._typing.ArrayLike, " HEED_ATTEND_TYPES ") -> str"),
      "Which kernel the call would take, and why not another.\n\n"
      ">>> x = heed.ones((4, 2))\n>>> \"kernel\" in heed.explain(x, x, x)\nTrue");
}

}  // namespace heed::python
