#include "bind.h"

#include <heed/regression.h>

#include <nanobind/stl/vector.h>

namespace heed::python {

void bind_regression(nb::module_& m) {
  nb::class_<KernelRegression>(
      m, "KernelRegression",
      "Nadaraya-Watson regression over points x (n, D) with y (n, M) and a bandwidth per feature, or one for "
      "all.\n\n"
      ">>> fit = heed.KernelRegression([51.0, 56.0, 58.0], [40.0, 43.0, 48.0], 1.0)\n"
      ">>> fit.predict([57.0])\ntensor([[45.5000]])")
      .def(
          "__init__",
          [](KernelRegression* self, const Input& x, const Input& y, const Input& bandwidth) {
            new (self) KernelRegression(x, y, bandwidth);
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
          "predict", [](const KernelRegression& r, const Input& at) { return r.predict(at); }, "at"_a,
          WhileComputing(), "f at the rows of at (m, D): (m, M).")
      .def("leave_one_out", &KernelRegression::leave_one_out, WhileComputing(),
           "f at every point from all the others: (n, M).")
      .def(
          "standard_error",
          [](const KernelRegression& r, const Input& at, const Input& residuals) {
            return r.standard_error(at, residuals);
          },
          "at"_a, "residuals"_a, WhileComputing(),
          "How much f would scatter, from y - leave_one_out(): (m, M).");
  m.def(
      "cross_validated_bandwidth",
      [](const Input& x, const Input& y) { return cross_validated_bandwidth(x, y); }, "x"_a, "y"_a,
      WhileComputing(),
      "The bandwidths (D,) with the least leave-one-out squared error.\n\n"
      ">>> x = heed.linspace(0, 3, 20)\n>>> heed.cross_validated_bandwidth(x, heed.sin(x)).shape\n(1,)");
  nb::class_<LearnedBandwidth>(m, "LearnedBandwidth",
                               "What learned_bandwidth found.\n\n>>> x = heed.linspace(0, 3, 20)\n"
                               ">>> len(heed.learned_bandwidth(x, heed.sin(x), epochs=5).losses)\n6")
      .def_ro("bandwidth", &LearnedBandwidth::bandwidth, "(D,)")
      .def_ro("losses", &LearnedBandwidth::losses, "At the start, and after each epoch.");
  m.def(
      "learned_bandwidth",
      [](const Input& x, const Input& y, int epochs, double lr) {
        return learned_bandwidth(x, y, {epochs, lr, {}});
      },
      "x"_a, "y"_a, nb::kw_only(), "epochs"_a = 50, "lr"_a = 0.5, WhileComputing(),
      "The bandwidths by gradient descent, as in the notes.\n\n"
      ">>> x = heed.linspace(0, 3, 20)\n>>> heed.learned_bandwidth(x, heed.sin(x), "
      "epochs=5).bandwidth.shape\n(1,)");
}

}  // namespace heed::python
