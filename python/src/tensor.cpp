// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"
#include "indexing.h"
#include "nested.h"
#include "sizes.h"

#include <heed/error.h>
#include <heed/ops.h>

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <functional>

namespace heed::python {
namespace {

void bind_dtype(nb::module_& m) {
  nb::enum_<Dtype>(m, "Dtype",
                   "Element types: f32 and f64 carry gradients, i64 holds indices, boolean holds masks.")
      .value("f32", f32)
      .value("f64", f64)
      .value("i64", i64)
      .value("boolean", boolean)
      .export_values();
}

/// a op b for every pair of tensor, array and number; the reflected forms serve numbers and arrays on the left.
template <class Op>
void bind_arithmetic(nb::class_<Tensor>& cls, const char* name, const char* reflected, Op op) {
  cls.def(
      name, [op](const Tensor& a, Scalar b) { return op(a, b); }, nb::is_operator(), WhileComputing());
  cls.def(
      name, [op](const Tensor& a, const Input& b) { return op(a, b); }, nb::is_operator(), WhileComputing());
  cls.def(
      reflected, [op](const Tensor& b, Scalar a) { return op(a, b); }, nb::is_operator(), WhileComputing());
  cls.def(
      reflected, [op](const Tensor& b, const Input& a) { return op(a, b); }, nb::is_operator(),
      WhileComputing());
}

template <class Op>
void bind_comparison(nb::class_<Tensor>& cls, const char* name, Op op) {
  cls.def(
      name, [op](const Tensor& a, Scalar b) { return op(a, b); }, nb::is_operator(), WhileComputing());
  cls.def(
      name, [op](const Tensor& a, const Input& b) { return op(a, b); }, nb::is_operator(), WhileComputing());
}

void bind_operators(nb::class_<Tensor>& cls) {
  const auto as_tensors = [](auto op) {
    return [op](const auto& a, const auto& b) -> Tensor { return op(a, b); };
  };
  bind_arithmetic(cls, "__add__", "__radd__", as_tensors(std::plus<>()));
  bind_arithmetic(cls, "__sub__", "__rsub__", as_tensors(std::minus<>()));
  bind_arithmetic(cls, "__mul__", "__rmul__", as_tensors(std::multiplies<>()));
  bind_arithmetic(cls, "__truediv__", "__rtruediv__", as_tensors(std::divides<>()));
  bind_comparison(cls, "__eq__", as_tensors(std::equal_to<>()));
  bind_comparison(cls, "__ne__", as_tensors(std::not_equal_to<>()));
  bind_comparison(cls, "__lt__", as_tensors(std::less<>()));
  bind_comparison(cls, "__le__", as_tensors(std::less_equal<>()));
  bind_comparison(cls, "__gt__", as_tensors(std::greater<>()));
  bind_comparison(cls, "__ge__", as_tensors(std::greater_equal<>()));
  cls.def(
         "__neg__", [](const Tensor& x) { return -x; }, WhileComputing())
      .def(
          "__matmul__", [](const Tensor& a, const Input& b) { return matmul(a, b); }, nb::is_operator(),
          WhileComputing())
      .def(
          "__rmatmul__", [](const Tensor& b, const Input& a) { return matmul(a, b); }, nb::is_operator(),
          WhileComputing())
      .def(
          "__pow__", [](const Tensor& x, Scalar e) { return pow(x, e); }, nb::is_operator(), WhileComputing())
      .def(
          "__pow__", [](const Tensor& x, const Input& e) { return pow(x, e); }, nb::is_operator(),
          WhileComputing())
      .def(
          "__abs__", [](const Tensor& x) { return abs(x); }, WhileComputing())
      .def("__hash__", [](const Tensor& x) { return std::hash<const void*>()(x.impl().get()); });
  // NumPy then leaves array + tensor to the tensor.
  cls.attr("__array_ufunc__") = nb::none();
}

void bind_python_side(nb::class_<Tensor>& cls) {
  cls.def("__repr__", [](const Tensor& x) { return to_string(x); })
      .def("__len__",
           [](const Tensor& x) {
             if (x.rank() == 0) throw nb::type_error("len() of a tensor without dimensions");
             return x.size(0);
           })
      .def(
          "__getitem__", [](const Tensor& x, nb::object at) { return index(x, at); }, "index"_a.none())
      .def(
          "__setitem__",
          [](const Tensor& x, nb::object at, const Input& value) { index(x, at).copy_(value.to(x.dtype())); },
          "index"_a.none(), "value"_a)
      .def(
          "__iter__",
          [](const Tensor& x) {
            nb::list rows;
            for (std::int64_t i = 0; i < x.size(0); ++i) rows.append(x[i]);
            return nb::iter(rows);
          },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[Tensor]"))
      .def("__bool__", [](const Tensor& x) { return x.item<bool>(); })
      .def("__int__", [](const Tensor& x) { return x.item<std::int64_t>(); })
      .def("__float__", [](const Tensor& x) { return x.item<double>(); })
      .def(
          "item", [](const Tensor& x) { return to_nested(x.reshape(Shape::filled(0, 0))); },
          nb::sig("def item(self) -> float | int | bool"),
          "The value of a tensor of one element.\n\n>>> heed.tensor([2.5]).item()\n2.5")
      .def("tolist", &to_nested, nb::sig("def tolist(self) -> typing.Any"),
           "Nested lists of the elements.\n\n>>> heed.tensor([[1, 2]]).tolist()\n[[1, 2]]")
      .def(
          "numpy", [](const Tensor& x) { return to_numpy(x); },
          nb::sig("def numpy(self) -> heed._typing.NDArray"),
          "The same memory as a NumPy array; read-only if the tensor requires a gradient.\n\n"
          ">>> heed.eye(2).numpy().sum()\nnp.float32(2.0)")
      .def(
          "__array__",
          [](const Tensor& x, nb::object dtype, nb::object copy) {
            const nb::object array = to_numpy(x);
            const bool as_is = dtype.is_none() && (copy.is_none() || !nb::cast<bool>(copy));
            return as_is ? array : array.attr("astype")(dtype.is_none() ? array.attr("dtype") : dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none(),
          nb::sig("def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> "
                  "heed._typing.NDArray"))
      .def(
          "__dlpack__", [](const Tensor& x, nb::kwargs options) { return to_capsule(x, options); },
          nb::sig("def __dlpack__(self, *args: typing.Any, **kwargs: typing.Any) -> typing.Any"))
      .def(
          "__dlpack_device__", [](const Tensor&) { return nb::make_tuple(1, 0); },
          nb::sig("def __dlpack_device__(self) -> tuple[int, int]"))
      .def("__reduce__", [](const Tensor& x) {
        const nb::object rebuild = nb::module_::import_("heed._pickle").attr("rebuild_tensor");
        return nb::make_tuple(rebuild, nb::make_tuple(to_numpy(x.detach()), x.requires_grad()));
      });
}

/// As sizes, but what dimensions are.
Dims dims_of(const nb::args& given) {
  Dims dims;
  for (std::int64_t dim : sizes_of(given, "Tensor.permute: dims")) dims.push_back(dim);
  return dims;
}

Tensor view(const Tensor& x, const Shape& shape) {
  const Tensor seen = x.reshape(shape);
  if (x.numel() > 0 && memory_of(seen) != memory_of(x)) {
    throw Error("view: sizes " + to_string(shape) + " need a copy of strides " + to_string(x.strides()) +
                ": call reshape, or contiguous first");
  }
  return seen;
}

Tensor flatten(const Tensor& x, std::int64_t start_dim, std::int64_t end_dim) {
  const std::int64_t rank = std::max<std::int64_t>(x.rank(), 1);
  const auto counted = [&](std::int64_t dim, const char* name) {
    if (dim < -rank || dim >= rank) {
      throw Error("flatten: " + std::string(name) + " must lie in -" + std::to_string(rank) + ".." +
                  std::to_string(rank - 1) + ", found " + std::to_string(dim));
    }
    return dim < 0 ? dim + rank : dim;
  };
  const std::int64_t first = counted(start_dim, "start_dim"), last = counted(end_dim, "end_dim");
  if (first > last) throw Error("flatten: start_dim must not come after end_dim");
  if (x.rank() == 0) return x.reshape({1});
  Shape shape;
  std::int64_t joined = 1;
  for (std::int64_t dim = 0; dim < x.rank(); ++dim) {
    if (dim < first || dim > last) shape.push_back(x.size(dim));
    if (dim >= first && dim <= last) joined *= x.size(dim);
    if (dim == last) shape.push_back(joined);
  }
  return x.reshape(shape);
}

void bind_views(nb::class_<Tensor>& cls) {
  cls.def("transpose", &Tensor::transpose, "dim1"_a, "dim2"_a,
          "Two dimensions change places; a view.\n\n>>> heed.zeros((2, 3)).transpose(0, 1).shape\n(3, 2)")
      .def_prop_ro(
          "T", [](const Tensor& x) { return x.transpose(-2, -1); },
          "The last two dimensions swapped; a view.")
      .def(
          "permute", [](const Tensor& x, const nb::args& dims) { return x.permute(dims_of(dims)); }, "dims"_a,
          nb::sig("def permute(self, *dims: int | collections.abc.Sequence[int]) -> Tensor"),
          "Dimensions in another order; a view.\n\n>>> heed.zeros(2, 3, 4).permute(2, 0, 1).shape\n(4, 2, 3)")
      .def(
          "reshape",
          [](const Tensor& x, const nb::args& sizes) {
            const Shape shape = sizes_of(sizes, "Tensor.reshape: sizes");
            const Computing computing;
            return x.reshape(shape);
          },
          "sizes"_a, nb::sig("def reshape(self, *sizes: int | collections.abc.Sequence[int]) -> Tensor"),
          "Other sizes; one may be -1. A view where strides allow.\n\n>>> heed.arange(6).reshape(2, "
          "-1).shape\n(2, 3)")
      .def(
          "view",
          [](const Tensor& x, const nb::args& sizes) {
            return view(x, sizes_of(sizes, "Tensor.view: sizes"));
          },
          "sizes"_a, nb::sig("def view(self, *sizes: int | collections.abc.Sequence[int]) -> Tensor"),
          "reshape where it needs no copy; an Error else.\n\n>>> heed.arange(6).view(2, -1).shape\n(2, 3)")
      .def(
          "flatten",
          [](const Tensor& x, std::int64_t start_dim, std::int64_t end_dim) {
            return flatten(x, start_dim, end_dim);
          },
          "start_dim"_a = 0, "end_dim"_a = -1, WhileComputing(),
          "Neighbouring dimensions as one.\n\n>>> heed.zeros(2, 3, 4).flatten(1).shape\n(2, 12)")
      .def("select", &Tensor::select, "dim"_a, "index"_a,
           "One position of one dimension; a view.\n\n>>> heed.arange(3).select(0, 2)\ntensor(2)")
      .def(
          "squeeze",
          [](const Tensor& x, const std::optional<Dims>& dim) { return x.squeeze(dim.value_or(Dims())); },
          "dim"_a = nb::none(),
          "Without the dimensions of size 1; a view.\n\n>>> heed.zeros((1, 3, 1)).squeeze().shape\n(3,)")
      .def("unsqueeze", &Tensor::unsqueeze, "dim"_a,
           "A new dimension of size 1; a view.\n\n>>> heed.zeros((3,)).unsqueeze(0).shape\n(1, 3)")
      .def(
          "expand",
          [](const Tensor& x, const nb::args& sizes) {
            return x.expand(sizes_of(sizes, "Tensor.expand: sizes"));
          },
          "sizes"_a, nb::sig("def expand(self, *sizes: int | collections.abc.Sequence[int]) -> Tensor"),
          "Dimensions of size 1 repeated without a copy.\n\n>>> heed.ones(1, 2).expand(3, -1).shape\n(3, 2)")
      .def(
          "diagonal",
          [](const Tensor& x, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
            return x.diagonal({offset, dim1, dim2});
          },
          "offset"_a = 0, "dim1"_a = 0, "dim2"_a = 1,
          "The diagonal of two dimensions; a view.\n\n>>> heed.eye(2).diagonal()\ntensor([1., 1.])");
}

void bind_copies(nb::class_<Tensor>& cls) {
  cls.def("contiguous", &Tensor::contiguous, WhileComputing(),
          "Row-major without gaps; itself if it is.\n\n>>> heed.zeros((2, 3)).T.contiguous().strides\n(2, 1)")
      .def("clone", &Tensor::clone, WhileComputing(),
           "A copy.\n\n>>> heed.ones((2,)).clone()\ntensor([1., 1.])")
      .def("to", &Tensor::to, "dtype"_a, WhileComputing(),
           "Another element type.\n\n>>> heed.tensor([1.5]).to(heed.i64)\ntensor([1])")
      .def(
          "fill_", [](const Tensor& x, Scalar value) { return x.fill_(value); }, "value"_a, WhileComputing(),
          "Every element becomes value.\n\n>>> heed.zeros((2,)).fill_(3)\ntensor([3., 3.])")
      .def(
          "copy_", [](const Tensor& x, const Input& source) { return x.copy_(source); }, "source"_a,
          WhileComputing(),
          "The elements of source, broadcast.\n\n>>> heed.zeros((2,)).copy_([1.0, 2.0])\ntensor([1., 2.])")
      .def(
          "add_", [](const Tensor& x, const Input& other, double alpha) { return x.add_(other, alpha); },
          "other"_a, "alpha"_a = 1.0, WhileComputing(),
          "x += alpha * other.\n\n>>> heed.ones((2,)).add_(heed.ones((2,)), alpha=-1)\ntensor([0., 0.])");
}

void bind_gradients(nb::class_<Tensor>& cls) {
  cls.def_prop_ro("requires_grad", &Tensor::requires_grad, "Whether backward() will reach it.")
      .def_prop_ro("is_leaf", &Tensor::is_leaf,
                   "Whether it was not computed from something that requires a gradient.")
      .def(
          "requires_grad_", [](const Tensor& x, bool wanted) { return x.requires_grad_(wanted); },
          "wanted"_a = true,
          "Asks for a gradient, or gives it up; for leaves.\n\n>>> "
          "heed.ones((2,)).requires_grad_().requires_grad\nTrue")
      .def_prop_rw(
          "grad",
          [](const Tensor& x) {
            const Tensor grad = x.grad();
            return grad.defined() ? std::optional(grad) : std::nullopt;
          },
          [](const Tensor& x, const std::optional<Tensor>& grad) { x.set_grad(grad.value_or(Tensor())); },
          nb::for_setter(nb::arg("grad").none()), "What backward() has summed up; None before the first.")
      .def("detach", &Tensor::detach,
           "The same memory, off the tape.\n\n>>> "
           "heed.ones((1,)).requires_grad_().detach().requires_grad\nFalse")
      .def(
          "backward",
          [](const Tensor& x, const std::optional<Input>& seed, bool retain_graph) {
            const Tensor start = seed ? Tensor(*seed) : Tensor();
            retain_graph ? x.backward_retaining_graph(start) : x.backward(start);
          },
          "seed"_a = nb::none(), nb::kw_only(), "retain_graph"_a = false, WhileComputing(),
          "Adds the gradients to every leaf's grad.\n\n"
          ">>> x = heed.tensor([3.0]).requires_grad_()\n>>> (x * x).backward()\n>>> x.grad\ntensor([6.])");
}

}  // namespace

void bind_tensor(nb::module_& m) {
  bind_dtype(m);
  nb::class_<Tensor> cls(
      m, "Tensor",
      "Strided memory with an optional place on the autograd tape. Copies share memory; clone() does "
      "not. heed.tensor() makes one.\n\n"
      ">>> x = heed.tensor([[1.0, 2], [3, 4]])\n>>> x[:, 0] * 2\ntensor([2., 6.])");
  cls.def_prop_ro("dtype", &Tensor::dtype, "Element type.")
      .def_prop_ro("shape", &Tensor::shape, "Sizes, outermost first.")
      .def_prop_ro("strides", &Tensor::strides, "Distances in elements.")
      .def_prop_ro("rank", &Tensor::rank, "How many dimensions there are.")
      .def_prop_ro("ndim", &Tensor::rank, "rank, by NumPy's name.")
      .def_prop_ro("numel", &Tensor::numel, "How many elements there are.")
      .def(
          "size",
          [](const Tensor& x, std::optional<std::int64_t> dim) -> nb::object {
            return dim ? nb::object(nb::int_(x.size(*dim))) : nb::cast(x.shape());
          },
          "dim"_a = nb::none(), nb::sig("def size(self, dim: int | None = None) -> typing.Any"),
          "Size of one dimension, or the shape.\n\n>>> heed.zeros(2, 3).size(-1)\n3")
      .def("dim", &Tensor::rank, "rank, by PyTorch's name.\n\n>>> heed.zeros(2, 3).dim()\n2")
      .def("is_contiguous", &Tensor::is_contiguous,
           "Whether it is row-major without gaps.\n\n>>> heed.zeros((2, 3)).T.is_contiguous()\nFalse");
  bind_python_side(cls);
  bind_operators(cls);
  bind_views(cls);
  bind_copies(cls);
  bind_gradients(cls);
  bind_tensor_math(cls);
}

}  // namespace heed::python
