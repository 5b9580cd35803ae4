#include "bind.h"

#include <heed/attend.h>
#include <heed/error.h>
#include <heed/explain.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace heed::python {
namespace {

Tensor operand(nb::handle array, const char* where) {
  if (std::optional<Tensor> tensor = borrow_array(array, where, Access::kRead, Elements::kFloating))
    return *std::move(tensor);
  throw nb::type_error((std::string(where) +
                        " must be an array (NumPy, PyTorch, JAX, heed.Tensor, ...), found " +
                        nb::type_name(array.type()).c_str())
                           .c_str());
}

/// The options of a call, and the generator they point to.
struct Options {
  Options(const Score* score, const Mask* mask, nb::handle bias, std::optional<double> softcap,
          double dropout, std::optional<std::uint64_t> seed)
      : generator(seed.value_or(0)) {
    if (score) options.score = *score;
    if (mask) options.mask = *mask;
    if (!bias.is_none()) options.bias = operand(bias, "attend: bias");
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
                         const std::optional<Score>& score, const Mask* mask, nb::handle bias,
                         std::optional<double> softcap, double dropout, std::optional<std::uint64_t> seed,
                         bool return_weights, bool return_lse) {
  const Origin origin = origin_of(queries);
  const Tensor q = operand(queries, "attend: queries"), k = operand(keys, "attend: keys"),
               v = operand(values, "attend: values");
  const Options call(score ? &*score : nullptr, mask, bias, softcap, dropout, seed);
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

constexpr const char* kAttendDoc =
    R"(Attention pooling: f(q) = sum_i softmax_i(score(q, k_i)) v_i.

queries (Lq, D), keys (Lk, D), values (Lk, Dv) -> (Lq, Dv); also with leading (B,) or (B, H), and fewer heads of keys and
values than of queries. Arrays of any library that speaks DLPack or the buffer protocol, of f32 or f64 and any strides, are
read where they lie; the result is an array of the library that queries come from. A heed.Tensor carries gradients.

score: ScaledDot(), Dot(), Gaussian(), Additive(). mask: valid_lens, causal, window, mask, composed by &. bias is added to
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
#define HEED_ATTEND_TYPES                                                                                    \
  "*, score: heed._typing.Score | None = None, mask: Mask | None = None, bias: heed._typing.Array | None = " \
  "None, "                                                                                                   \
  "softcap: float "                                                                                          \
  "| None = None, dropout: float = 0.0, seed: int | None = None"

}  // namespace

void bind_attend(nb::module_& m) {
  m.def("attend", &attend_arrays, "queries"_a.none(), "keys"_a.none(), "values"_a.none(), HEED_ATTEND_OPTIONS,
        "return_weights"_a = false, "return_lse"_a = false,
        nb::sig("def attend(queries: typing.Any, keys: typing.Any, values: typing.Any, " HEED_ATTEND_TYPES
                ", return_weights: bool = False, return_lse: bool = False) -> typing.Any"),
        kAttendDoc);
  bind_weights(m);
  m.def(
      "attend_with_weights",
      [](nb::handle queries, nb::handle keys, nb::handle values, const std::optional<Score>& score,
         const Mask* mask, nb::handle bias, std::optional<double> softcap, double dropout,
         std::optional<std::uint64_t> seed) {
        const Tensor q = operand(queries, "attend: queries"), k = operand(keys, "attend: keys"),
                     v = operand(values, "attend: values");
        const Options call(score ? &*score : nullptr, mask, bias, softcap, dropout, seed);
        const Computing computing;
        return attend_with_weights(q, k, v, call.options);
      },
      "queries"_a.none(), "keys"_a.none(), "values"_a.none(), HEED_ATTEND_OPTIONS,
      nb::sig("def attend_with_weights(queries: heed._typing.Array, keys: heed._typing.Array, values: "
              "heed._typing.Array, " HEED_ATTEND_TYPES ") -> AttendResult"),
      "attend, with everything else it knows, as tensors.\n\n"
      ">>> x = heed.ones((4, 2))\n>>> heed.attend_with_weights(x, x, x).log_sum_exp.shape\n(4,)");
  m.def(
      "explain",
      [](nb::handle queries, nb::handle keys, nb::handle values, const std::optional<Score>& score,
         const Mask* mask, nb::handle bias, std::optional<double> softcap, double dropout,
         std::optional<std::uint64_t> seed) {
        const Options call(score ? &*score : nullptr, mask, bias, softcap, dropout, seed);
        return explain(operand(queries, "attend: queries"), operand(keys, "attend: keys"),
                       operand(values, "attend: values"), call.options)
            .text();
      },
      "queries"_a.none(), "keys"_a.none(), "values"_a.none(), HEED_ATTEND_OPTIONS,
      nb::sig("def explain(queries: heed._typing.Array, keys: heed._typing.Array, values: "
              "heed._typing.Array, " HEED_ATTEND_TYPES ") -> str"),
      "Which kernel the call would take, and why not another.\n\n"
      ">>> x = heed.ones((4, 2))\n>>> \"kernel\" in heed.explain(x, x, x)\nTrue");
}

}  // namespace heed::python
