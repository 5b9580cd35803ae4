// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "modules.h"

#include <heed/nn.h>

namespace heed::python {
namespace {

using nn::Module;
using Size = std::optional<std::int64_t>;

void bind_additive(nb::module_& nn) {
  using nn::AdditiveAttention;
  nb::class_<AdditiveAttention, Module> cls(
      nn, "AdditiveAttention",
      "w_v . tanh(W_q q + W_k k), queries (B, Lq, query_size), keys (B, Lk, key_size), values (B, Lk, "
      "Dv). hidden is the notes' num_hiddens.\n\n"
      ">>> attention = heed.nn.AdditiveAttention(key_size=2, query_size=20, hidden=8)\n"
      ">>> attention(heed.normal(2, 1, 20), heed.ones(2, 10, 2), heed.ones(2, 10, 4), [2, 6]).shape\n"
      "(2, 1, 4)");
  const auto make = [](AdditiveAttention* self, std::int64_t key_size, std::int64_t query_size,
                       std::int64_t hidden, double dropout, Dtype dtype) {
    new (self) AdditiveAttention({key_size, query_size, hidden, dropout, dtype});
  };
  cls.def("__init__", make, "key_size"_a, "query_size"_a, "hidden"_a, "dropout"_a = 0.0, nb::kw_only(),
          "dtype"_a = f32)
      .def("__init__", make, "key_size"_a, "query_size"_a, "num_hiddens"_a, "dropout"_a = 0.0, nb::kw_only(),
           "dtype"_a = f32)
      .def_ro("W_k", &AdditiveAttention::W_k, "key_size -> hidden")
      .def_ro("W_q", &AdditiveAttention::W_q, "query_size -> hidden")
      .def_ro("w_v", &AdditiveAttention::w_v, "hidden -> 1")
      .def_ro("dropout", &AdditiveAttention::dropout, "Acts on the weights.");
  bind_attention_calls(cls);
  bind_attention_weights(cls);
  bind_pickling(cls, [](const AdditiveAttention& m) {
    return keywords({{"key_size", m.W_k.weight.size(1)},
                     {"query_size", m.W_q.weight.size(1)},
                     {"hidden", m.W_q.weight.size(0)},
                     {"dropout", m.dropout.p()},
                     {"dtype", m.W_q.weight.dtype()}});
  });
}

void bind_dot_product(nb::module_& nn) {
  using nn::DotProductAttention;
  nb::class_<DotProductAttention, Module> cls(nn, "DotProductAttention",
                                              "softmax(Q K^T / sqrt(D)) V\n\n"
                                              ">>> x = heed.ones((2, 3, 4))\n"
                                              ">>> heed.nn.DotProductAttention()(x, x, x).shape\n(2, 3, 4)");
  cls.def(
         "__init__",
         [](DotProductAttention* self, double dropout) { new (self) DotProductAttention({dropout}); },
         "dropout"_a = 0.0)
      .def_ro("dropout", &DotProductAttention::dropout, "Acts on the weights.");
  bind_attention_calls(cls);
  bind_attention_weights(cls);
  bind_pickling(cls, [](const DotProductAttention& m) { return keywords({{"dropout", m.dropout.p()}}); });
}

void bind_layer(nb::module_& nn) {
  using nn::AttentionLayer;
  nb::class_<AttentionLayer, Module> cls(nn, "AttentionLayer",
                                         "One head of attention with its four linear layers. hidden and "
                                         "input_size are the notes' d_k and d_input.\n\n"
                                         ">>> x = heed.ones(2, 3, 4)\n"
                                         ">>> heed.nn.AttentionLayer(5, 4)(x, x, x).shape\n(2, 3, 5)");
  const auto make = [](AttentionLayer* self, std::int64_t hidden, std::int64_t input_size, Dtype dtype) {
    new (self) AttentionLayer({hidden, input_size, dtype});
  };
  cls.def("__init__", make, "hidden"_a, "input_size"_a, nb::kw_only(), "dtype"_a = f32)
      .def("__init__", make, "d_k"_a, "d_input"_a, nb::kw_only(), "dtype"_a = f32)
      .def_prop_ro(
          "linears",
          [](nb::handle self) {
            nb::list list;
            for (nn::Linear& linear : nb::cast<AttentionLayer&>(self).linears) {
              list.append(nb::cast(linear, nb::rv_policy::reference_internal, self));
            }
            return list;
          },
          nb::sig("def linears(self) -> list[Linear]"), "Of queries, keys, values, and the output's.");
  bind_attention_calls(cls);
  bind_attention_weights(cls);
  bind_pickling(cls, [](const AttentionLayer& m) {
    return keywords({{"hidden", m.linears[0].weight.size(0)},
                     {"input_size", m.linears[0].weight.size(1)},
                     {"dtype", m.linears[0].weight.dtype()}});
  });
}

nb::dict options_of(const nn::MultiHeadAttention& m) {
  return keywords({{"hidden", m.W_o.weight.size(0)},
                   {"heads", m.heads()},
                   {"dropout", m.attention.dropout.p()},
                   {"bias", m.W_o.bias.defined()},
                   {"dtype", m.W_o.weight.dtype()}});
}

void bind_multi_head(nb::module_& nn) {
  using nn::MultiHeadAttention;
  nb::class_<MultiHeadAttention, Module> cls(
      nn, "MultiHeadAttention",
      "Several projections of the input attend side by side; (B, Lq, query_size) -> (B, Lq, hidden). Sizes "
      "that are not given are hidden. Takes the notes' arguments too: key_size, query_size, value_size, "
      "num_hiddens, "
      "num_heads, dropout, bias, where hidden is num_hiddens and heads is num_heads.\n\n"
      ">>> attention = heed.nn.MultiHeadAttention(hidden=100, heads=5, dropout=0.5).eval()\n"
      ">>> x = heed.ones(2, 4, 100)\n>>> attention(x, x, x, [3, 2]).shape\n(2, 4, 100)\n"
      ">>> attention.attention_weights(heads=[0]).shape\n(2, 1, 4, 4)\n"
      ">>> attention = heed.nn.MultiHeadAttention(100, 100, 100, 100, 5, 0.5)");
  const auto make = [](MultiHeadAttention* self, std::int64_t hidden, std::int64_t heads, double dropout,
                       bool bias, const Size& query_size, const Size& key_size, const Size& value_size,
                       Dtype dtype) {
    new (self) MultiHeadAttention({hidden, heads, dropout, bias, query_size.value_or(hidden),
                                   key_size.value_or(hidden), value_size.value_or(hidden), dtype});
  };
  const auto make_by_notes = [](MultiHeadAttention* self, std::int64_t key_size, std::int64_t query_size,
                                std::int64_t value_size, std::int64_t hidden, std::int64_t heads,
                                double dropout, bool bias, Dtype dtype) {
    new (self) MultiHeadAttention({hidden, heads, dropout, bias, query_size, key_size, value_size, dtype});
  };
  cls.def("__init__", make, "hidden"_a, "heads"_a, nb::kw_only(), "dropout"_a = 0.0, "bias"_a = false,
          "query_size"_a = nb::none(), "key_size"_a = nb::none(), "value_size"_a = nb::none(),
          "dtype"_a = f32)
      .def("__init__", make_by_notes, "key_size"_a, "query_size"_a, "value_size"_a, "num_hiddens"_a,
           "num_heads"_a, "dropout"_a = 0.0, "bias"_a = false, nb::kw_only(), "dtype"_a = f32)
      .def("__init__", make_by_notes, "key_size"_a, "query_size"_a, "value_size"_a, "hidden"_a, "heads"_a,
           "dropout"_a = 0.0, "bias"_a = false, nb::kw_only(), "dtype"_a = f32)
      .def_prop_ro("heads", &MultiHeadAttention::heads, "How many there are.")
      .def_ro("attention", &MultiHeadAttention::attention, "What the heads do.")
      .def_ro("W_q", &MultiHeadAttention::W_q, "query_size -> hidden")
      .def_ro("W_k", &MultiHeadAttention::W_k, "key_size -> hidden")
      .def_ro("W_v", &MultiHeadAttention::W_v, "value_size -> hidden")
      .def_ro("W_o", &MultiHeadAttention::W_o, "hidden -> hidden");
  bind_attention_calls(cls);
  bind_attention_weights(cls);
  bind_pickling(cls, [](const MultiHeadAttention& m) {
    nb::dict options = options_of(m);
    options["query_size"] = m.W_q.weight.size(1);
    options["key_size"] = m.W_k.weight.size(1);
    options["value_size"] = m.W_v.weight.size(1);
    return options;
  });

  using nn::SelfAttention;
  nb::class_<SelfAttention, MultiHeadAttention> self_attention(
      nn, "SelfAttention",
      "MultiHeadAttention of a sequence with itself.\n\n"
      ">>> heed.nn.SelfAttention(8, 2)(heed.ones(2, 4, 8), heed.causal()).shape\n(2, 4, 8)");
  const auto make_self = [](SelfAttention* self, std::int64_t hidden, std::int64_t heads, double dropout,
                            bool bias, const Size& input_size, Dtype dtype) {
    new (self) SelfAttention({hidden, heads, dropout, bias, input_size.value_or(hidden), dtype});
  };
  self_attention
      .def("__init__", make_self, "hidden"_a, "heads"_a, nb::kw_only(), "dropout"_a = 0.0, "bias"_a = false,
           "input_size"_a = nb::none(), "dtype"_a = f32)
      .def("__init__", make_self, "num_hiddens"_a, "num_heads"_a, nb::kw_only(), "dropout"_a = 0.0,
           "bias"_a = false, "input_size"_a = nb::none(), "dtype"_a = f32)
      .def(
          "__call__",
          [](SelfAttention& m, const Real& x, const std::optional<LengthsOrMask>& mask) {
            return m(x, mask_or_all(mask));
          },
          "x"_a, "mask"_a = nb::none(), WhileComputing());
  bind_pickling(self_attention, [](const SelfAttention& m) {
    nb::dict options = options_of(m);
    options["input_size"] = m.W_q.weight.size(1);
    return options;
  });
  nn.def(
      "multi_head_attention_layer",
      [](std::int64_t n_head, std::int64_t d_k, std::int64_t d_input, Dtype dtype) {
        return nn::multi_head_attention_layer({n_head, d_k, d_input, dtype});
      },
      "n_head"_a, "d_k"_a, "d_input"_a, nb::kw_only(), "dtype"_a = f32,
      "The notes' Multi_head_attention_layer: a MultiHeadAttention with biases, from d_input to d_k.\n\n"
      ">>> x = heed.ones(2, 3, 4)\n>>> heed.nn.multi_head_attention_layer(2, 6, 4)(x, x, x).shape\n(2, 3, "
      "6)");
  nn.def(
      "transpose_qkv", [](const Input& X, std::int64_t heads) { return nn::transpose_qkv(X, heads); }, "X"_a,
      "heads"_a,
      "(B, L, hidden) as its heads, (B, heads, L, hidden/heads); a view.\n\n"
      ">>> heed.nn.transpose_qkv(heed.ones((2, 3, 8)), 4).shape\n(2, 4, 3, 2)");
  nn.def(
      "transpose_output", [](const Input& X, std::int64_t heads) { return nn::transpose_output(X, heads); },
      "X"_a, "heads"_a,
      "The way back from transpose_qkv.\n\n"
      ">>> heed.nn.transpose_output(heed.ones((2, 4, 3, 2)), 4).shape\n(2, 3, 8)");
}

void bind_kernel_regression(nb::module_& nn) {
  using nn::NWKernelRegression;
  nb::class_<NWKernelRegression, Module> cls(
      nn, "NWKernelRegression",
      "Nadaraya-Watson regression as a module with a learnable width, the notes' class; "
      "heed.KernelRegression is a fit to "
      "data with a bandwidth per feature, heed.regression.NadarayaWatson the same as an estimator of "
      "scikit-learn's. "
      "queries (n,), keys and values (n, m) or (m,) -> (n,).\n\n"
      ">>> x = heed.rand((5,))\n>>> net = heed.nn.NWKernelRegression()\n"
      ">>> net(x, heed.nn.leave_one_out(x), heed.nn.leave_one_out(x)).shape\n(5,)");
  cls.def(
         "__init__", [](NWKernelRegression* self, Dtype dtype) { new (self) NWKernelRegression({dtype}); },
         nb::kw_only(), "dtype"_a = f32)
      .def(
          "__call__",
          [](NWKernelRegression& m, const Real& queries, const Real& keys, const Real& values) {
            return m(queries, keys, values);
          },
          "queries"_a, "keys"_a, "values"_a, WhileComputing())
      .def(
          "attention_weights",
          [](const NWKernelRegression& m, const Indices& rows) {
            return m.attention_weights({{}, rows});
          },
          nb::kw_only(), "rows"_a = nb::tuple(), WhileComputing(), "The weights of the last forward, (n, m).")
      .def_rw("w", &NWKernelRegression::w, "(1,), the inverse of the bandwidth");
  bind_pickling(cls, [](const NWKernelRegression& m) { return keywords({{"dtype", m.w.dtype()}}); });
  nn.def(
      "leave_one_out", [](const Input& x) { return nn::leave_one_out(x); }, "x"_a,
      "(n,) -> (n, n-1): row i is x without x[i].\n\n>>> heed.nn.leave_one_out([1.0, 2.0])\ntensor([[2.],\n"
      "        [1.]])");
}

}  // namespace

void bind_attention_modules(nb::module_& nn) {
  bind_additive(nn);
  bind_dot_product(nn);
  bind_layer(nn);
  bind_multi_head(nn);
  bind_kernel_regression(nn);
}

}  // namespace heed::python
