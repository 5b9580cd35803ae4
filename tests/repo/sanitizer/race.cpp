// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Two threads write one variable: the thread sanitizer must see it.
#include <cstdio>

int main() {
  int sum = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 100000; ++i) sum += i % 3;
  std::printf("%d\n", sum);
}
