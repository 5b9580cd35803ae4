// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Kernel regression is attention: queries are where we ask, keys where we measured, values what we measured.
// Then the width of the kernel is learned, as in Nadaraya-Watson regression with a parameter.
#include <heed/heed.h>

#include <cmath>
#include <cstdio>
#include <iostream>

using namespace heed;

int main() {
  // A person with a waist of 57. Three others are known: (waist, weight).
  const Tensor waists = tensor({{51}, {56}, {58}}), weights = tensor({{40}, {43}, {48}});
  const Tensor guess = attend(tensor({{57}}), waists, weights, {.score = Gaussian{.bandwidth = 1}});
  std::printf("a waist of 57 weighs about %.1f\n\n", guess.item());

  // Forty noisy points of a sine.
  seed(1);
  const Tensor x = linspace(0, 6, 40);
  const Tensor y = sin(x) + normal({40}, {.stddev = 0.2});

  // While training, no point may look at itself.
  const Tensor keys = nn::leave_one_out(x), values = nn::leave_one_out(y);
  nn::NWKernelRegression net;
  optim::SGD sgd(net.parameters(), {.lr = 0.2});
  double first_loss = 0, last_loss = 0;
  for (int epoch = 0; epoch <= 20; ++epoch) {
    sgd.zero_grad();
    const Tensor loss = sum(l2_loss(net(x, keys, values), y));
    loss.backward();
    if (epoch == 0) first_loss = loss.item();
    last_loss = loss.item();
    if (epoch % 5 == 0)
      std::printf("epoch %2d  loss %.4f  bandwidth %.3f\n", epoch, last_loss, 1 / net.w.item());
    sgd.step();
  }

  // Ask in between the points.
  const Tensor asked = tensor({0.5, 1.5, 3, 4.5});
  const Tensor found = no_grad([&] { return net(asked, x, y); });
  std::cout << "\nasked at " << asked << "\nlearned  " << found << "\nsine     " << sin(asked) << '\n';

  const bool close = max(abs(found - sin(asked))).item() < 0.3;
  return close && last_loss < first_loss && std::abs(guess.item() - 45.5) < 1e-3 ? 0 : 1;
}
