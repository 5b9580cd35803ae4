// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One function per part of the module. What each binds, and under which name, is that of include/heed.
#pragma once

#include "call.h"
#include "casters.h"

#include <nanobind/nanobind.h>

namespace heed::python {

namespace nb = nanobind;
using namespace nb::literals;

void bind_runtime(nb::module_& m);
void bind_tensor(nb::module_& m);
void bind_tensor_math(nb::class_<Tensor>& cls);
void bind_creation(nb::module_& m);
void bind_ops(nb::module_& m);
void bind_scores(nb::module_& m);
void bind_masks(nb::module_& m);
void bind_attend(nb::module_& m);
void bind_operator(nb::module_& m);
void bind_io(nb::module_& m);
void bind_tables(nb::module_& m);
void bind_modules(nb::module_& nn);
void bind_layers(nb::module_& nn);
void bind_attention_modules(nb::module_& nn);
void bind_optim(nb::module_& optim);
void bind_regression(nb::module_& m);
void bind_viz(nb::module_& m);
void bind_charts(nb::module_& m);

/// From then on, TypeErrors of a scope's functions, classes and their methods say which argument is wrong.
void explain_arguments(nb::handle scope);

}  // namespace heed::python
