#include "bind.h"

#include <heed/error.h>

#include <nanobind/stl/optional.h>

namespace heed::python {
namespace {

/// The caller's own generator, or the thread's.
Generator& chosen(Generator* generator) { return generator ? *generator : default_generator(); }

void bind_random(nb::module_& m) {
  nb::class_<Generator>(
      m, "Generator",
      "A stream of random numbers; equal seeds give equal streams. Not to be shared between threads.\n\n"
      ">>> heed.rand((2,), generator=heed.Generator(1)).shape\n(2,)")
      .def(nb::init<std::uint64_t>(), "seed"_a = 0)
      .def_prop_ro("seed", &Generator::seed, "What it was started from.");
  m.def("seed", &seed, "value"_a,
        "Restarts the calling thread's generator.\n\n>>> heed.seed(1); a = heed.rand((2,))\n"
        ">>> heed.seed(1); heed.identical(a, heed.rand((2,)))\nTrue");
  m.def(
      "rand", [](const Shape& shape, Dtype dtype, Generator* g) { return rand(shape, dtype, chosen(g)); },
      "shape"_a, "dtype"_a = f32, "generator"_a = nb::none(), WhileComputing(),
      "Uniform on [0, 1).\n\n>>> heed.rand((2, 3)).shape\n(2, 3)");
  m.def(
      "normal",
      [](const Shape& shape, double mean, double stddev, Dtype dtype, Generator* g) {
        return normal(shape, {mean, stddev}, dtype, chosen(g));
      },
      "shape"_a, nb::kw_only(), "mean"_a = 0.0, "stddev"_a = 1.0, "dtype"_a = f32, "generator"_a = nb::none(),
      WhileComputing(), "Normal numbers.\n\n>>> heed.normal((2, 3), mean=1, stddev=0.1).shape\n(2, 3)");
}

}  // namespace

void bind_creation(nb::module_& m) {
  m.def(
      "tensor",
      [](nb::object data, std::optional<Dtype> dtype) {
        return to_tensor(data, "tensor: data", dtype).clone();
      },
      "data"_a.none(), "dtype"_a = nb::none(),
      nb::sig("def tensor(data: heed._typing.ArrayLike, dtype: Dtype | None = None) -> Tensor"),
      "A new tensor with a copy of the numbers: f32 from lists, unless all are boolean; the type of an "
      "array.\n\n"
      ">>> heed.tensor([[1, 2], [3, 4]])\ntensor([[1., 2.],\n        [3., 4.]])");
  m.def(
      "borrow",
      [](nb::object array) {
        std::optional<Tensor> tensor = borrow_array(array, "borrow: array", Access::kWrite);
        if (!tensor) throw nb::type_error("borrow: array must have __dlpack__ or the buffer protocol");
        return *tensor;
      },
      "array"_a.none(), nb::sig("def borrow(array: heed._typing.Array) -> Tensor"),
      "A tensor over an array's memory, nothing copied. Read-only memory gives a tensor that cannot be "
      "written.\n\n"
      ">>> a = np.zeros(2, np.float32)\n>>> heed.borrow(a).fill_(1)\ntensor([1., 1.])\n>>> a\n"
      "array([1., 1.], dtype=float32)");
  m.def("zeros", &zeros, "shape"_a, "dtype"_a = f32, "Zeros.\n\n>>> heed.zeros((2,))\ntensor([0., 0.])");
  m.def("ones", &ones, "shape"_a, "dtype"_a = f32, "Ones.\n\n>>> heed.ones((2,))\ntensor([1., 1.])");
  m.def("full", &full, "shape"_a, "value"_a, "dtype"_a = f32,
        "One number everywhere.\n\n>>> heed.full((2,), 7)\ntensor([7., 7.])");
  m.def(
      "zeros_like", [](const Input& x) { return zeros_like(x); }, "x"_a,
      "Zeros of x's shape and type.\n\n>>> heed.zeros_like(heed.ones((2,)))\ntensor([0., 0.])");
  m.def(
      "ones_like", [](const Input& x) { return ones_like(x); }, "x"_a,
      "Ones of x's shape and type.\n\n>>> heed.ones_like(heed.zeros((2,)))\ntensor([1., 1.])");
  m.def("empty", &empty, "shape"_a, "dtype"_a = f32,
        "Uninitialised memory.\n\n>>> heed.empty((2, 3)).shape\n(2, 3)");
  m.def("eye", &eye, "n"_a, "dtype"_a = f32,
        "The identity matrix.\n\n>>> heed.eye(2)\ntensor([[1., 0.],\n        [0., 1.]])");
  m.def(
      "arange", [](std::int64_t n, Dtype dtype) { return arange(n, dtype); }, "n"_a, "dtype"_a = f32,
      "0, 1, ... n-1.\n\n>>> heed.arange(3)\ntensor([0., 1., 2.])");
  m.def("linspace", &linspace, "start"_a, "stop"_a, "count"_a, "dtype"_a = f32,
        "Points from start to stop, both included.\n\n>>> heed.linspace(0, 1, 3)\ntensor([0.0000, 0.5000, "
        "1.0000])");
  bind_random(m);
}

}  // namespace heed::python
