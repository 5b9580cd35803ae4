// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"

#include <heed/regression.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace heed::python {
namespace {

/// Points and what was observed there, both of the wider type.
struct Data {
  Data(const Tensor& x_given, const Tensor& y_given) : x(x_given), y(y_given) {
    if (is_floating(x.dtype()) && is_floating(y.dtype()) && x.dtype() != y.dtype())
      x = x.to(f64), y = y.to(f64);
  }
  Tensor x, y;
};

/// An array as it is; numbers and lists in the type of the fit.
Tensor like(const KernelRegression& fit, nb::handle value, const char* where) {
  if (const std::optional<Tensor> array = array_tensor(value, where)) {
    return array->dtype() == i64 ? array->to(fit.x().dtype()) : *array;
  }
  return to_exact(value, where).to(fit.x().dtype());
}

}  // namespace

void bind_regression(nb::module_& m) {
  nb::class_<KernelRegression>(
      m, "KernelRegression",
      "Nadaraya-Watson regression over points x (n, D) with y (n, M) and a bandwidth per feature, or one for "
      "all: a fit to data. heed.nn.NWKernelRegression is the notes' module, which learns one width; "
      "heed.regression.NadarayaWatson is this fit as an estimator of scikit-learn's.\n\n"
      ">>> fit = heed.KernelRegression([51.0, 56.0, 58.0], [40.0, 43.0, 48.0], 1.0)\n"
      ">>> fit.predict([57.0]).numpy().round(4)\narray([[45.5]])")
      .def(
          "__init__",
          [](KernelRegression* self, const Exact& x, const Exact& y, const Exact& bandwidth) {
            const Data data(x, y);
            new (self) KernelRegression(data.x, data.y, bandwidth);
          },
          "x"_a, "y"_a, "bandwidth"_a, WhileComputing())
      .def("__reduce__",
           [](const KernelRegression& r) {
             return nb::make_tuple(nb::type<KernelRegression>(), nb::make_tuple(r.x(), r.y(), r.bandwidth()));
           })
      .def_prop_ro("x", &KernelRegression::x, nb::rv_policy::copy, "(n, D)")
      .def_prop_ro("y", &KernelRegression::y, nb::rv_policy::copy, "(n, M)")
      .def_prop_ro("bandwidth", &KernelRegression::bandwidth, nb::rv_policy::copy, "(D,)")
      .def(
          "predict",
          [](const KernelRegression& r, nb::handle at) {
            const Tensor places = like(r, at, "KernelRegression.predict: at");
            const Computing computing;
            return r.predict(places);
          },
          "at"_a.none(), nb::sig("def predict(self, at: heed._typing.ArrayLike) -> Tensor"),
          "f at the rows of at (m, D): (m, M).")
      .def("leave_one_out", &KernelRegression::leave_one_out, WhileComputing(),
           "f at every point from all the others: (n, M).")
      .def(
          "standard_error",
          [](const KernelRegression& r, nb::handle at, nb::handle residuals) {
            const Tensor places = like(r, at, "KernelRegression.standard_error: at"),
                         rest = like(r, residuals, "KernelRegression.standard_error: residuals");
            const Computing computing;
            return r.standard_error(places, rest);
          },
          "at"_a.none(), "residuals"_a.none(),
          nb::sig("def standard_error(self, at: heed._typing.ArrayLike, residuals: heed._typing.ArrayLike) "
                  "-> Tensor"),
          "How much f would scatter, from y - leave_one_out(): (m, M).")
      .def(
          "local_fit",
          [](const KernelRegression& r, nb::handle at, int degree) {
            const Tensor places = like(r, at, "KernelRegression.local_fit: at");
            const Computing computing;
            return r.local_fit(places, degree);
          },
          "at"_a.none(), "degree"_a,
          nb::sig("def local_fit(self, at: heed._typing.ArrayLike, degree: int) -> LocalFit"),
          "A polynomial fitted under the kernel around each row of at (m, 1), of degree 0 to 3: its value, "
          "slope, standard "
          "error, and how many points count.")
      .def(
          "band",
          [](const KernelRegression& r, nb::handle at, double level, bool new_observation) {
            const Tensor places = like(r, at, "KernelRegression.band: at");
            const auto of = new_observation ? BandOptions::Of::kNewObservation : BandOptions::Of::kCurve;
            const Computing computing;
            return r.band(places, {level, of});
          },
          "at"_a.none(), nb::kw_only(), "level"_a = 0.95, "new_observation"_a = false,
          nb::sig("def band(self, at: heed._typing.ArrayLike, *, level: float = 0.95, new_observation: bool "
                  "= False) "
                  "-> Band"),
          "Between which numbers f lies, or a new y, at each row of at (m, 1): bias-corrected, each place by "
          "itself.")
      .def("leverage", &KernelRegression::leverage, WhileComputing(),
           "The weight of each y in f at its own x: (n,).")
      .def("degrees_of_freedom", &KernelRegression::degrees_of_freedom, WhileComputing(),
           "The sum of leverage(): 1 for a plain mean, n where f meets every point.")
      .def("warnings", &KernelRegression::warnings, "names"_a = std::vector<std::string>{}, WhileComputing(),
           "What should be known before f is believed, a line each.");
  nb::class_<GoodnessOfFit>(
      m, "GoodnessOfFit",
      "How well predictions meet what was observed, per output.\n\n"
      ">>> heed.goodness_of_fit([1.0, 2.0], [1.0, 2.0]).mean_squared_error.tolist()\n[0.0]")
      .def_ro("mean_squared_error", &GoodnessOfFit::mean_squared_error, "(M,)")
      .def_ro("r_squared", &GoodnessOfFit::r_squared,
              "(M,): 1 - (sum of squared errors) / (that of the mean); NaN where y is constant.");
  m.def(
      "goodness_of_fit",
      [](const Exact& y, const Exact& predictions) {
        const Data data(y, predictions);
        return goodness_of_fit(data.x, data.y);
      },
      "y"_a, "predictions"_a, WhileComputing(),
      "How well predictions (n, M) meet y (n, M).\n\n"
      ">>> heed.goodness_of_fit([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]).r_squared.tolist()\n[1.0]");
  nb::class_<LocalFit>(m, "LocalFit",
                       "What KernelRegression.local_fit found.\n\n"
                       ">>> fit = heed.KernelRegression([1.0, 2.0, 3.0], [1.0, 3.0, 5.0], 2.0)\n"
                       ">>> fit.local_fit([4.0], 1).slope\ntensor([[2.]], dtype=f64)")
      .def_ro("value", &LocalFit::value, "(m, M)")
      .def_ro("slope", &LocalFit::slope, "(m, M)")
      .def_ro("standard_error", &LocalFit::standard_error, "Of value: (m, M).")
      .def_ro("effective_points", &LocalFit::effective_points, "(m,)");
  nb::class_<Band>(
      m, "Band",
      "What KernelRegression.band found.\n\n"
      ">>> x = heed.linspace(0, 3, 20)\n>>> band = heed.KernelRegression(x, heed.sin(x), 0.3).band([1.5])\n"
      ">>> bool(band.lower.item() < 1 < band.upper.item())\nTrue")
      .def_ro("lower", &Band::lower, "(m, M)")
      .def_ro("upper", &Band::upper, "(m, M)");
  m.def(
      "cross_validated_bandwidth",
      [](const Exact& x, const Exact& y) {
        const Data data(x, y);
        return cross_validated_bandwidth(data.x, data.y);
      },
      "x"_a, "y"_a, WhileComputing(),
      "The bandwidths (D,) with the least leave-one-out squared error.\n\n"
      ">>> x = heed.linspace(0, 3, 20)\n>>> heed.cross_validated_bandwidth(x, heed.sin(x)).shape\n(1,)");
  nb::class_<LearnedBandwidth>(m, "LearnedBandwidth",
                               "What learned_bandwidth found.\n\n>>> x = heed.linspace(0, 3, 20)\n"
                               ">>> len(heed.learned_bandwidth(x, heed.sin(x), epochs=5).losses)\n6")
      .def_ro("bandwidth", &LearnedBandwidth::bandwidth, "(D,)")
      .def_ro("losses", &LearnedBandwidth::losses, "At the start, and after each epoch.");
  m.def(
      "learned_bandwidth",
      [](const Exact& x, const Exact& y, int epochs, double lr) {
        const Data data(x, y);
        return learned_bandwidth(data.x, data.y, {epochs, lr, {}});
      },
      "x"_a, "y"_a, nb::kw_only(), "epochs"_a = 50, "lr"_a = 0.5, WhileComputing(),
      "The bandwidths by gradient descent, as in the notes.\n\n"
      ">>> x = heed.linspace(0, 3, 20)\n>>> heed.learned_bandwidth(x, heed.sin(x), "
      "epochs=5).bandwidth.shape\n(1,)");
}

}  // namespace heed::python
