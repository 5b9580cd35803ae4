// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"
#include "shown.h"
#include "sizes.h"

#include <heed/error.h>
#include <heed/ops.h>

#include <nanobind/stl/optional.h>

namespace heed::python {
namespace {

/// The caller's own generator, or the thread's.
Generator& chosen(Generator* generator) { return generator ? *generator : default_generator(); }

#define HEED_SIZES "*sizes: int | collections.abc.Sequence[int], "
#define HEED_DTYPE "dtype: heed._typing.DtypeLike = 'float32'"

void bind_random(nb::module_& m) {
  nb::class_<Generator>(
      m, "Generator",
      "A stream of random numbers; equal seeds give equal streams. Not to be shared between threads.\n\n"
      ">>> heed.rand(2, generator=heed.Generator(1)).shape\n(2,)")
      .def(nb::init<std::uint64_t>(), "seed"_a = 0)
      .def_prop_ro("seed", &Generator::seed, "What it was started from.")
      .def_prop_ro("position", &Generator::position, "How many blocks of 128 bits have been used.");
  m.def("seed", &seed, "value"_a,
        "Restarts the calling thread's generator.\n\n>>> heed.seed(1); a = heed.rand(2)\n"
        ">>> heed.seed(1); heed.identical(a, heed.rand(2))\nTrue");
  m.def(
      "rand",
      [](const nb::args& sizes, Dtype dtype, Generator* g) {
        const Shape shape = sizes_of(sizes, "rand: sizes");
        const Computing computing;
        return rand(shape, dtype, chosen(g));
      },
      "sizes"_a, "dtype"_a = f32, "generator"_a = nb::none(),
      nb::sig("def rand(" HEED_SIZES HEED_DTYPE ", generator: Generator | None = None) -> Tensor"),
      "Uniform on [0, 1).\n\n>>> heed.rand(2, 3).shape\n(2, 3)");
  m.def(
      "normal",
      [](const nb::args& sizes, double mean, double stddev, Dtype dtype, Generator* g) {
        const Shape shape = sizes_of(sizes, "normal: sizes");
        const Computing computing;
        return normal(shape, {mean, stddev}, dtype, chosen(g));
      },
      "sizes"_a, "mean"_a = 0.0, "stddev"_a = 1.0, "dtype"_a = f32, "generator"_a = nb::none(),
      nb::sig("def normal(" HEED_SIZES "mean: float = 0.0, stddev: float = 1.0, " HEED_DTYPE
              ", generator: Generator | None = None) -> Tensor"),
      "Normal numbers.\n\n>>> heed.normal(2, 3, mean=1, stddev=0.1).shape\n(2, 3)");
}

/// A function that fills a new tensor of given sizes.
template <Tensor (*kMake)(const Shape&, Dtype)>
void bind_filled(nb::module_& m, const char* where, const nb::sig& signature, const char* doc) {
  const std::string name(where, std::string_view(where).find(':'));
  m.def(
      name.c_str(),
      [where](const nb::args& sizes, Dtype dtype) { return kMake(sizes_of(sizes, where), dtype); }, "sizes"_a,
      "dtype"_a = f32, signature, doc);
}

bool is_whole(nb::handle number) {
  return PyIndex_Check(number.ptr()) != 0 && !nb::isinstance<nb::bool_>(number);
}

double number(nb::handle value, const char* where) {
  if (double found = 0; !nb::isinstance<nb::bool_>(value) && nb::try_cast(value, found)) return found;
  throw nb::type_error((std::string(where) + " must be a number, found " + kind_of(value)).c_str());
}

/// Whole numbers unless one of the arguments is not.
Tensor arange_of(nb::handle start, nb::handle stop, nb::handle step, std::optional<Dtype> dtype) {
  const bool one = stop.is_none();
  const nb::object first = one ? nb::object(nb::int_(0)) : nb::borrow(start);
  const nb::object last = nb::borrow(one ? start : stop);
  const bool whole = is_whole(first) && is_whole(last) && is_whole(step);
  if (std::int64_t from = 0, to = 0, by = 0;
      whole && nb::try_cast(first, from) && nb::try_cast(last, to) && nb::try_cast(step, by) && by != 0) {
    const std::int64_t reach = by > 0 ? to - from : from - to, width = by > 0 ? by : -by;
    const Tensor steps = arange(reach > 0 ? (reach + width - 1) / width : 0, i64);
    return (steps * by + from).to(dtype.value_or(i64));  // no number passes through a double
  }
  const Range range{number(first, one ? "arange: n" : "arange: start"),
                    number(last, one ? "arange: n" : "arange: stop"), number(step, "arange: step")};
  return arange(range, dtype.value_or(whole ? i64 : f32));
}

}  // namespace

void bind_creation(nb::module_& m) {
  m.def(
      "tensor",
      [](nb::object data, std::optional<Dtype> dtype) {
        return to_tensor(data, "tensor: data", dtype).clone();
      },
      "data"_a.none(), "dtype"_a = nb::none(),
      nb::sig(
          "def tensor(data: heed._typing.ArrayLike, dtype: heed._typing.DtypeLike | None = None) -> Tensor"),
      "A new tensor with a copy of the numbers: i64 from lists of whole numbers, boolean from lists of "
      "booleans, f32 from "
      "all others; the type of an array.\n\n"
      ">>> heed.tensor([[1.0, 2], [3, 4]])\ntensor([[1., 2.],\n        [3., 4.]])\n>>> heed.tensor([1, 2, "
      "3])\n"
      "tensor([1, 2, 3])");
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
  bind_filled<zeros>(m, "zeros: sizes", nb::sig("def zeros(" HEED_SIZES HEED_DTYPE ") -> Tensor"),
                     "Zeros.\n\n>>> heed.zeros(2)\ntensor([0., 0.])\n>>> heed.zeros((2, 3)).shape\n(2, 3)");
  bind_filled<ones>(m, "ones: sizes", nb::sig("def ones(" HEED_SIZES HEED_DTYPE ") -> Tensor"),
                    "Ones.\n\n>>> heed.ones(2)\ntensor([1., 1.])");
  bind_filled<empty>(m, "empty: sizes", nb::sig("def empty(" HEED_SIZES HEED_DTYPE ") -> Tensor"),
                     "Uninitialised memory.\n\n>>> heed.empty(2, 3).shape\n(2, 3)");
  m.def("full", &full, "shape"_a, "value"_a, nb::kw_only(), "dtype"_a = f32,
        "One number everywhere.\n\n>>> heed.full((2,), 7)\ntensor([7., 7.])");
  m.def(
      "zeros_like", [](const Input& x) { return zeros_like(x); }, "x"_a,
      "Zeros of x's shape and type.\n\n>>> heed.zeros_like(heed.ones(2))\ntensor([0., 0.])");
  m.def(
      "ones_like", [](const Input& x) { return ones_like(x); }, "x"_a,
      "Ones of x's shape and type.\n\n>>> heed.ones_like(heed.zeros(2))\ntensor([1., 1.])");
  m.def("eye", &eye, "n"_a, nb::kw_only(), "dtype"_a = f32,
        "The identity matrix.\n\n>>> heed.eye(2)\ntensor([[1., 0.],\n        [0., 1.]])");
  m.def("arange", &arange_of, "start"_a, "stop"_a = nb::none(), "step"_a = 1, nb::kw_only(),
        "dtype"_a = nb::none(),
        nb::sig("def arange(start: float, stop: float | None = None, step: float = 1, *, dtype: "
                "heed._typing.DtypeLike | "
                "None = None) -> Tensor"),
        "arange(n): 0, 1, ... n-1. arange(start, stop, step): up to but without stop. Whole numbers if all "
        "three are.\n\n"
        ">>> heed.arange(3)\ntensor([0, 1, 2])\n>>> heed.arange(0, 1, 0.5)\ntensor([0.0000, 0.5000])");
  m.def("linspace", &linspace, "start"_a, "stop"_a, "count"_a, nb::kw_only(), "dtype"_a = f32,
        "Points from start to stop, both included.\n\n>>> heed.linspace(0, 1, 3)\ntensor([0.0000, 0.5000, "
        "1.0000])");
  bind_random(m);
}

}  // namespace heed::python
