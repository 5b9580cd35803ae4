// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Uses the library from outside: a wrong header path, symbol or dependency shows here.
#include <heed/heed.h>

#include <cmath>
#include <iostream>

int main() {
  const heed::Tensor weight =
      heed::attend(heed::tensor({{57}}), heed::tensor({{51}, {56}, {58}}), heed::tensor({{40}, {43}, {48}}),
                   {.score = heed::Gaussian{.bandwidth = 1}});
  std::cout << "heed " << heed::version() << ": " << weight << '\n';
  return std::abs(weight.item() - 45.5) < 1e-3 ? 0 : 1;
}
