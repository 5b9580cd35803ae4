// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Threads that hand data over at barriers, reductions and BLAS calls: the thread sanitizer must keep quiet,
// which it does only if it knows the OpenMP runtime. OpenBLAS must find itself in that same runtime.
#include <cblas.h>

#include <cstddef>
#include <cstdio>
#include <vector>

// Multiplies a matrix of ones by itself.
bool gemm_is_right(int n) {
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const std::vector<float> ones(size, 1.0F);
  std::vector<float> product(size, 0.0F);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0F, ones.data(), n, ones.data(), n, 0.0F,
              product.data(), n);
  for (const float x : product) {
    if (x != static_cast<float>(n)) return false;
  }
  return true;
}

int main() {
  constexpr int kCount = 10000;
  std::vector<double> values(kCount);
  double sum = 0.0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < kCount; ++i) values[static_cast<std::size_t>(i)] = 1.0;
#pragma omp for schedule(dynamic, 100) reduction(+ : sum)
    for (int i = 0; i < kCount; ++i) sum += values[static_cast<std::size_t>(kCount - 1 - i)];
  }

  int wrong = gemm_is_right(300) ? 0 : 1;
#pragma omp parallel for num_threads(2) reduction(+ : wrong)
  for (int i = 0; i < 8; ++i) wrong += gemm_is_right(150 + i) ? 0 : 1;

  std::printf("sum %g, wrong products %d\n", sum, wrong);
  return sum == kCount && wrong == 0 ? 0 : 1;
}
