// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Self-attention does not know the order of its input. A positional encoding tells it.
#include <heed/heed.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

using namespace heed;

int main() {
  seed(4);
  const NoGrad guard;
  const Tensor x = normal({5, 8});
  nn::SelfAttention attention({.hidden = 8, .heads = 2});
  nn::PositionalEncoding encode({.num_hiddens = 8});

  const auto backwards = [](const Tensor& sequence) { return sequence.slice(0, {.step = -1}); };
  const auto asymmetry = [&](const auto& layer) {
    return max(abs(layer(backwards(x)) - backwards(layer(x)))).item();
  };
  const double plain = asymmetry([&](const Tensor& s) { return attention(s); });
  const double encoded = asymmetry([&](const Tensor& s) { return attention(encode(s)); });
  std::printf("a reversed sequence, reversed back: differs by %.4f\n", plain);
  std::printf("the same with positions added:      differs by %.4f\n\n", encoded);

  // Slow columns to the right, like the higher bits of a counter.
  std::cout << "the first rows of the encoding\n" << nn::sinusoidal_encoding(5, 4) << "\n\n";

  // A step of 3 is the same rotation wherever it starts.
  const Tensor P = nn::sinusoidal_encoding(100, 8);
  double worst = 0;
  for (std::int64_t p = 0; p + 3 < 100; ++p) {
    const double turned = P.at({p, 2}) * std::cos(3 / 10.0) + P.at({p, 3}) * std::sin(3 / 10.0);
    worst = std::max(worst, std::abs(turned - P.at({p + 3, 2})));
  }
  std::printf("one rotation for all steps of 3: largest error %.1e\n", worst);

  return plain < 1e-6 && encoded > 0.01 && worst < 1e-5 ? 0 : 1;
}
