#include "modules.h"

#include <heed/nn.h>

namespace heed::python {
namespace {

using nn::Module;

void bind_additive(nb::module_& nn) {
  using nn::AdditiveAttention;
  nb::class_<AdditiveAttention, Module> cls(
      nn, "AdditiveAttention",
      "w_v . tanh(W_q q + W_k k), queries (B, Lq, query_size), keys (B, Lk, key_size), values (B, Lk, "
      "Dv).\n\n"
      ">>> attention = heed.nn.AdditiveAttention(key_size=2, query_size=20, num_hiddens=8)\n"
      ">>> attention(heed.normal((2, 1, 20)), heed.ones((2, 10, 2)), heed.ones((2, 10, 4)), "
      "heed.valid_lens([2, 6])).shape\n"
      "(2, 1, 4)");
  cls.def(
         "__init__",
         [](AdditiveAttention* self, std::int64_t key_size, std::int64_t query_size, std::int64_t num_hiddens,
            double dropout, Dtype dtype) {
           new (self) AdditiveAttention({key_size, query_size, num_hiddens, dropout, dtype});
         },
         nb::kw_only(), "key_size"_a, "query_size"_a, "num_hiddens"_a, "dropout"_a = 0.0, "dtype"_a = f32)
      .def_ro("W_k", &AdditiveAttention::W_k, "key_size -> num_hiddens")
      .def_ro("W_q", &AdditiveAttention::W_q, "query_size -> num_hiddens")
      .def_ro("w_v", &AdditiveAttention::w_v, "num_hiddens -> 1")
      .def_ro("dropout", &AdditiveAttention::dropout, "Acts on the weights.");
  bind_attention_calls(cls);
  bind_attention_weights(cls);
  bind_pickling(cls, [](const AdditiveAttention& m) {
    return keywords({{"key_size", m.W_k.weight.size(1)},
                     {"query_size", m.W_q.weight.size(1)},
                     {"num_hiddens", m.W_q.weight.size(0)},
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
         nb::kw_only(), "dropout"_a = 0.0)
      .def_ro("dropout", &DotProductAttention::dropout, "Acts on the weights.");
  bind_attention_calls(cls);
  bind_attention_weights(cls);
  bind_pickling(cls, [](const DotProductAttention& m) { return keywords({{"dropout", m.dropout.p()}}); });
}

void bind_layer(nb::module_& nn) {
  using nn::AttentionLayer;
  nb::class_<AttentionLayer, Module> cls(
      nn, "AttentionLayer",
      "One head of attention with its four linear layers.\n\n"
      ">>> x = heed.ones((2, 3, 4))\n"
      ">>> heed.nn.AttentionLayer(d_k=5, d_input=4)(x, x, x).shape\n(2, 3, 5)");
  cls.def(
         "__init__",
         [](AttentionLayer* self, std::int64_t d_k, std::int64_t d_input, Dtype dtype) {
           new (self) AttentionLayer({d_k, d_input, dtype});
         },
         nb::kw_only(), "d_k"_a, "d_input"_a, "dtype"_a = f32)
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
    return keywords({{"d_k", m.linears[0].weight.size(0)},
                     {"d_input", m.linears[0].weight.size(1)},
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
      "of 0 mean "
      "hidden.\n\n"
      ">>> attention = heed.nn.MultiHeadAttention(hidden=100, heads=5, dropout=0.5)\n>>> attention.eval()\n"
      ">>> x = heed.ones((2, 4, 100))\n>>> attention(x, x, x, heed.valid_lens([3, 2])).shape\n(2, 4, 100)\n"
      ">>> attention.attention_weights(heads=[0]).shape\n(2, 1, 4, 4)");
  cls.def(
         "__init__",
         [](MultiHeadAttention* self, std::int64_t hidden, std::int64_t heads, double dropout, bool bias,
            std::int64_t query_size, std::int64_t key_size, std::int64_t value_size, Dtype dtype) {
           new (self)
               MultiHeadAttention({hidden, heads, dropout, bias, query_size, key_size, value_size, dtype});
         },
         nb::kw_only(), "hidden"_a, "heads"_a, "dropout"_a = 0.0, "bias"_a = false, "query_size"_a = 0,
         "key_size"_a = 0, "value_size"_a = 0, "dtype"_a = f32)
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
      ">>> heed.nn.SelfAttention(hidden=8, heads=2)(heed.ones((2, 4, 8)), heed.causal()).shape\n(2, 4, 8)");
  self_attention
      .def(
          "__init__",
          [](SelfAttention* self, std::int64_t hidden, std::int64_t heads, double dropout, bool bias,
             std::int64_t input_size, Dtype dtype) {
            new (self) SelfAttention({hidden, heads, dropout, bias, input_size, dtype});
          },
          nb::kw_only(), "hidden"_a, "heads"_a, "dropout"_a = 0.0, "bias"_a = false, "input_size"_a = 0,
          "dtype"_a = f32)
      .def(
          "__call__",
          [](SelfAttention& m, const Input& x, const Mask* mask) { return m(x, mask_or_all(mask)); }, "x"_a,
          "mask"_a = nb::none(), WhileComputing());
  bind_pickling(self_attention, [](const SelfAttention& m) {
    nb::dict options = options_of(m);
    options["input_size"] = m.W_q.weight.size(1);
    return options;
  });
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
      "Nadaraya-Watson regression with a learnable width; queries (n,), keys and values (n, m) or (m,) -> "
      "(n,).\n\n"
      ">>> x = heed.rand((5,))\n>>> net = heed.nn.NWKernelRegression()\n"
      ">>> net(x, heed.nn.leave_one_out(x), heed.nn.leave_one_out(x)).shape\n(5,)");
  cls.def(
         "__init__", [](NWKernelRegression* self, Dtype dtype) { new (self) NWKernelRegression({dtype}); },
         nb::kw_only(), "dtype"_a = f32)
      .def(
          "__call__",
          [](NWKernelRegression& m, const Input& queries, const Input& keys, const Input& values) {
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
