#include "bind.h"

#include <heed/regression.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace heed::python {
namespace {

/// A number, a list or an array, without its digits beyond f32 lost: a tensor made of numbers would be of f32.
struct Bandwidth : Tensor {};

}  // namespace
}  // namespace heed::python

namespace nanobind::detail {

template <>
struct type_caster<heed::python::Bandwidth> {
  NB_TYPE_CASTER(heed::python::Bandwidth, const_name("heed._typing.ArrayLike"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) {
    if (source.is_none() || isinstance<str>(source)) return false;
    static_cast<heed::Tensor&>(value) = tensor_of(source);
    return true;
  }

 private:
  static heed::Tensor tensor_of(handle source) {
    if (!isinstance<heed::Tensor>(source)) {
      if (double number = 0; try_cast(source, number)) return heed::full({1}, number, heed::f64);
      if (std::vector<double> list; try_cast(source, list))
        return heed::from_vector(list, {static_cast<std::int64_t>(list.size())});
    }
    return heed::python::to_tensor(source, "KernelRegression: bandwidth");
  }
};

}  // namespace nanobind::detail

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
          [](KernelRegression* self, const Input& x, const Input& y, const Bandwidth& bandwidth) {
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
          "How much f would scatter, from y - leave_one_out(): (m, M).")
      .def("leverage", &KernelRegression::leverage, WhileComputing(),
           "The weight of each y in f at its own x: (n,).")
      .def("degrees_of_freedom", &KernelRegression::degrees_of_freedom, WhileComputing(),
           "The sum of leverage(): 1 for a plain mean, n where f meets every point.")
      .def("warnings", &KernelRegression::warnings, "names"_a = std::vector<std::string>{}, WhileComputing(),
           "What should be known before f is believed, a line each.");
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
