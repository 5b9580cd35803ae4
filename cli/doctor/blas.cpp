// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// OpenBLAS can be asked what it is; other implementations of CBLAS cannot. It is asked by name at run time, so that the
// command links against any of them.
#include "doctor/findings.h"

#include <dlfcn.h>

namespace heed::command {
namespace {

template <class Function>
Function find_function(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

}  // namespace

Blas blas_in_use() {
  constexpr int kOpenMp = 2;  // openblas_get_parallel(): 0 sequential, 1 threads of its own, 2 OpenMP
  Blas blas;
  if (const auto config = find_function<const char* (*)()>("openblas_get_config")) blas.config = config();
  if (const auto threads = find_function<int (*)()>("openblas_get_num_threads")) blas.threads = threads();
  if (const auto parallel = find_function<int (*)()>("openblas_get_parallel")) {
    blas.openmp = parallel() == kOpenMp;
  }
  return blas;
}

}  // namespace heed::command
