// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "modules.h"

#include <heed/nn.h>

#include <nanobind/stl/optional.h>

namespace heed::python {
namespace {

using nn::Module;

/// A parameter that may be missing, as a bias is.
template <class M, class Class>
void bind_optional(Class& cls, const char* name, Tensor M::*member, const char* doc) {
  cls.def_prop_rw(
      name, [member](const M& m) { return (m.*member).defined() ? std::optional(m.*member) : std::nullopt; },
      [member](M& m, const std::optional<Tensor>& value) { m.*member = value.value_or(Tensor()); },
      nb::for_setter(nb::arg("value").none()), doc);
}

void bind_linear(nb::module_& nn) {
  using nn::Linear;
  nb::class_<Linear, Module> cls(nn, "Linear",
                                 "y = x W^T + b; (..., in_features) -> (..., out_features).\n\n"
                                 ">>> heed.nn.Linear(3, 4)(heed.ones(2, 3)).shape\n(2, 4)");
  cls.def(
         "__init__",
         [](Linear* self, std::int64_t in_features, std::int64_t out_features, bool bias, Dtype dtype) {
           new (self) Linear({in_features, out_features, bias, dtype});
         },
         "in_features"_a, "out_features"_a, "bias"_a = true, nb::kw_only(), "dtype"_a = f32)
      .def(
          "__call__", [](const Linear& m, const Real& x) { return m(x); }, "x"_a, WhileComputing())
      .def_rw("weight", &Linear::weight, "(out_features, in_features)");
  bind_optional(cls, "bias", &Linear::bias, "(out_features,), or None");
  bind_pickling(cls, [](const Linear& m) {
    return keywords({{"in_features", m.weight.size(1)},
                     {"out_features", m.weight.size(0)},
                     {"bias", m.bias.defined()},
                     {"dtype", m.weight.dtype()}});
  });
}

void bind_embedding(nb::module_& nn) {
  using nn::Embedding;
  nb::class_<Embedding, Module> cls(
      nn, "Embedding",
      "A table of vectors, looked up by index. hidden is PyTorch's embedding_dim.\n\n"
      ">>> heed.nn.Embedding(5, 2)([1, 4]).shape\n(2, 2)");
  const auto make = [](Embedding* self, std::int64_t num_embeddings, std::int64_t hidden, Dtype dtype) {
    new (self) Embedding({num_embeddings, hidden, dtype});
  };
  cls.def("__init__", make, "num_embeddings"_a, "hidden"_a, nb::kw_only(), "dtype"_a = f32)
      .def("__init__", make, "num_embeddings"_a, "embedding_dim"_a, nb::kw_only(), "dtype"_a = f32)
      .def(
          "__call__", [](const Embedding& m, const Input& indices) { return m(indices.to(i64)); },
          "indices"_a, WhileComputing())
      .def_rw("weight", &Embedding::weight, "(num_embeddings, hidden)");
  bind_pickling(cls, [](const Embedding& m) {
    return keywords(
        {{"num_embeddings", m.weight.size(0)}, {"hidden", m.weight.size(1)}, {"dtype", m.weight.dtype()}});
  });
}

void bind_layer_norm(nb::module_& nn) {
  using nn::LayerNorm;
  nb::class_<LayerNorm, Module> cls(
      nn, "LayerNorm",
      "(x - mean) / sqrt(variance + epsilon) * weight + bias over the last dimensions.\n\n"
      ">>> heed.nn.LayerNorm(3)(heed.ones(2, 3)).shape\n(2, 3)");
  cls.def(
         "__init__",
         [](LayerNorm* self, const Shape& normalized_shape, double epsilon, Dtype dtype) {
           new (self) LayerNorm({normalized_shape, epsilon, dtype});
         },
         "normalized_shape"_a, "epsilon"_a = 1e-5, nb::kw_only(), "dtype"_a = f32)
      .def(
          "__call__", [](const LayerNorm& m, const Real& x) { return m(x); }, "x"_a, WhileComputing())
      .def_rw("weight", &LayerNorm::weight, "normalized_shape")
      .def_rw("bias", &LayerNorm::bias, "normalized_shape");
  bind_pickling(cls, [](const LayerNorm& m) {
    return keywords(
        {{"normalized_shape", m.weight.shape()}, {"epsilon", m.epsilon()}, {"dtype", m.weight.dtype()}});
  });
}

void bind_dropout(nb::module_& nn) {
  using nn::Dropout;
  nb::class_<Dropout, Module> cls(nn, "Dropout",
                                  "Zeroes elements at random while training.\n\n"
                                  ">>> heed.nn.Dropout(0)([1.0])\ntensor([1.])");
  cls.def(
         "__init__", [](Dropout* self, double p) { new (self) Dropout({p}); }, "p"_a = 0.5)
      .def(
          "__call__", [](const Dropout& m, const Real& x) { return m(x); }, "x"_a, WhileComputing())
      .def_prop_ro("p", &Dropout::p, "The probability.");
  bind_pickling(cls, [](const Dropout& m) { return keywords({{"p", m.p()}}); });
}

void bind_positions(nb::module_& nn) {
  using nn::LearnedPositionalEncoding;
  using nn::PositionalEncoding;
  nn.def("sinusoidal_encoding", &nn::sinusoidal_encoding, "length"_a, "width"_a, nb::kw_only(),
         "dtype"_a = f32,
         "Sines and cosines of the positions, (length, width).\n\n"
         ">>> heed.nn.sinusoidal_encoding(1, 2)\ntensor([[0., 1.]])");
  nb::class_<PositionalEncoding, Module> fixed(
      nn, "PositionalEncoding",
      "dropout(x + P[:, :L]) with fixed positions. hidden is the notes' num_hiddens.\n\n"
      ">>> heed.nn.PositionalEncoding(2)(heed.zeros(1, 1, 2))\ntensor([[[0., 1.]]])");
  const auto make = [](PositionalEncoding* self, std::int64_t hidden, double dropout, std::int64_t max_len,
                       bool grow) {
    new (self) PositionalEncoding({hidden, dropout, max_len, grow});
  };
  fixed.def("__init__", make, "hidden"_a, "dropout"_a = 0.0, "max_len"_a = 1000, "grow"_a = false)
      .def("__init__", make, "num_hiddens"_a, "dropout"_a = 0.0, "max_len"_a = 1000, "grow"_a = false)
      .def(
          "__call__", [](PositionalEncoding& m, const Real& x) { return m(x); }, "x"_a, WhileComputing())
      .def("P", &PositionalEncoding::P, nb::kw_only(), "dtype"_a = f32, "The table, (1, max_len, hidden).")
      .def_prop_ro("max_len", &PositionalEncoding::max_len, "Length of the table.")
      .def_ro("dropout", &PositionalEncoding::dropout, "Acts on the sum.");
  bind_pickling(fixed, [](const PositionalEncoding& m) {
    return keywords({{"hidden", m.num_hiddens()},
                     {"dropout", m.dropout.p()},
                     {"max_len", m.max_len()},
                     {"grow", m.grows()}});
  });
  nb::class_<LearnedPositionalEncoding, Module> learned(
      nn, "LearnedPositionalEncoding",
      "dropout(x + P[:L]) with learned positions. hidden is the notes' num_hiddens.\n\n"
      ">>> heed.nn.LearnedPositionalEncoding(2)(heed.zeros(1, 1, 2)).shape\n(1, 1, 2)");
  const auto make_learned = [](LearnedPositionalEncoding* self, std::int64_t hidden, double dropout,
                               std::int64_t max_len, Dtype dtype) {
    new (self) LearnedPositionalEncoding({hidden, dropout, max_len, dtype});
  };
  learned
      .def("__init__", make_learned, "hidden"_a, "dropout"_a = 0.0, "max_len"_a = 1000, nb::kw_only(),
           "dtype"_a = f32)
      .def("__init__", make_learned, "num_hiddens"_a, "dropout"_a = 0.0, "max_len"_a = 1000, nb::kw_only(),
           "dtype"_a = f32)
      .def(
          "__call__", [](const LearnedPositionalEncoding& m, const Real& x) { return m(x); }, "x"_a,
          WhileComputing())
      .def_rw("P", &LearnedPositionalEncoding::P, "(max_len, hidden)")
      .def_ro("dropout", &LearnedPositionalEncoding::dropout, "Acts on the sum.");
  bind_pickling(learned, [](const LearnedPositionalEncoding& m) {
    return keywords({{"hidden", m.P.size(1)},
                     {"dropout", m.dropout.p()},
                     {"max_len", m.P.size(0)},
                     {"dtype", m.P.dtype()}});
  });
}

}  // namespace

void bind_layers(nb::module_& nn) {
  bind_linear(nn);
  bind_embedding(nn);
  bind_layer_norm(nn);
  bind_dropout(nn);
  bind_positions(nn);
}

}  // namespace heed::python
