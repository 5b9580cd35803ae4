// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"

#include <heed/score.h>

#include <nanobind/stl/optional.h>

#include <limits>

namespace heed::python {
namespace {

Gaussian::Width to_width(nb::handle width, const char* where) {
  if (width.is_none()) return {};
  const bool plain = !nb::isinstance<nb::bool_>(width) && !nb::isinstance<Tensor>(width);
  if (double number = 0; plain && nb::try_cast(width, number)) return number;
  return to_exact(width, where);
}

nb::object from_width(const Gaussian::Width& width) {
  if (width.number()) return nb::float_(*width.number());
  return width.given() ? nb::cast(width.tensor()) : nb::none();
}

}  // namespace

void bind_scores(nb::module_& m) {
  nb::class_<ScaledDot>(
      m, "ScaledDot",
      "scale * q.k, by default scale = 1/sqrt(D).\n\n"
      ">>> heed.attend(np.ones((1, 4)), np.ones((2, 4)), np.eye(2), score=heed.ScaledDot(scale=0.5))\n"
      "array([[0.5, 0.5]])")
      .def(
          "__init__", [](ScaledDot* s, std::optional<double> scale) { new (s) ScaledDot{scale}; },
          "scale"_a = nb::none())
      .def_ro("scale", &ScaledDot::scale, "None stands for 1/sqrt(D).")
      .def("__reduce__",
           [](const ScaledDot& s) { return nb::make_tuple(nb::type<ScaledDot>(), nb::make_tuple(s.scale)); });
  nb::class_<Dot>(m, "Dot",
                  "q.k\n\n>>> heed.attend(np.zeros((1, 4)), np.ones((2, 4)), np.eye(2), score=heed.Dot())\n"
                  "array([[0.5, 0.5]])")
      .def(nb::init<>())
      .def("__reduce__", [](const Dot&) { return nb::make_tuple(nb::type<Dot>(), nb::make_tuple()); });
  nb::class_<Gaussian>(
      m, "Gaussian",
      "-1/2 |(q - k) / bandwidth|^2, or by w = 1/bandwidth: a number, a tensor, or one entry per "
      "feature. Nadaraya-Watson regression.\n\n"
      ">>> waists, weights = np.array([[51.0], [56], [58]]), np.array([[40.0], [43], [48]])\n"
      ">>> heed.attend(np.array([[57.0]]), waists, weights, score=heed.Gaussian()).round(4)\n"
      "array([[45.5]])")
      .def(
          "__init__",
          [](Gaussian* g, nb::object bandwidth, nb::object w) {
            new (g) Gaussian{to_width(bandwidth, "Gaussian: bandwidth"), to_width(w, "Gaussian: w")};
          },
          "bandwidth"_a = nb::none(), "w"_a = nb::none(),
          nb::sig("def __init__(self, bandwidth: heed._typing.ArrayLike | None = None, w: "
                  "heed._typing.ArrayLike | None "
                  "= None) -> None"))
      .def_prop_ro(
          "bandwidth", [](const Gaussian& g) { return from_width(g.bandwidth); },
          nb::sig("def bandwidth(self) -> float | Tensor | None"), "As given.")
      .def_prop_ro(
          "w", [](const Gaussian& g) { return from_width(g.w); },
          nb::sig("def w(self) -> float | Tensor | None"), "As given.")
      .def("__reduce__", [](const Gaussian& g) {
        return nb::make_tuple(nb::type<Gaussian>(), nb::make_tuple(from_width(g.bandwidth), from_width(g.w)));
      });
  nb::class_<Additive>(
      m, "Additive",
      "w_v . tanh(W_q q + W_k k); W_q (hidden, Dq), W_k (hidden, Dk), w_v (hidden,) or (1, hidden).\n\n"
      ">>> score = heed.Additive(np.eye(2), np.eye(2), np.ones(2))\n"
      ">>> heed.attend(np.zeros((1, 2)), np.ones((3, 2)), np.eye(3), score=score).round(4)\n"
      "array([[0.3333, 0.3333, 0.3333]])")
      .def(
          "__init__",
          [](Additive* a, nb::object W_q, nb::object W_k, nb::object w_v) {
            new (a) Additive{to_tensor(W_q, "Additive: W_q"), to_tensor(W_k, "Additive: W_k"),
                             to_tensor(w_v, "Additive: w_v")};
          },
          "W_q"_a, "W_k"_a, "w_v"_a,
          nb::sig("def __init__(self, W_q: heed._typing.ArrayLike, W_k: heed._typing.ArrayLike, w_v: "
                  "heed._typing.ArrayLike) -> None"))
      .def_ro("W_q", &Additive::W_q, "(hidden, Dq)")
      .def_ro("W_k", &Additive::W_k, "(hidden, Dk)")
      .def_ro("w_v", &Additive::w_v, "(hidden,) or (1, hidden)")
      .def("__reduce__", [](const Additive& a) {
        return nb::make_tuple(nb::type<Additive>(), nb::make_tuple(a.W_q, a.W_k, a.w_v));
      });
}

}  // namespace heed::python
