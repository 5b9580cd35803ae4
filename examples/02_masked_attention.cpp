// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Masks say who may look at whom. They compose by &, and what they hide cannot reach the result, not even a NaN.
#include <heed/heed.h>

#include <iostream>
#include <limits>

using namespace heed;

int main() {
  seed(2);
  // Two sequences of 4 positions, of which 4 and 2 are real and the rest is padding.
  const Tensor x = normal({2, 4, 8});
  const Mask padding = valid_lens({4, 2});

  const AttendResult open = attend_with_weights(x, x, x, {.mask = padding});
  std::cout << "weights of the second sequence, 2 of 4 positions valid\n" << open.weights()[1] << "\n\n";

  const AttendResult causal_too = attend_with_weights(x, x, x, {.mask = padding & causal()});
  std::cout << "the same, and nobody sees what comes after\n" << causal_too.weights()[1] << "\n\n";

  // Fill the padding with NaN: the same bits come out.
  const Tensor poisoned = x.clone();
  poisoned[1].slice(0, {.start = 2}).fill_(std::numeric_limits<double>::quiet_NaN());
  const Tensor clean = attend(x, x, x, {.mask = padding});
  const Tensor survived = attend(x, poisoned, poisoned, {.mask = padding});
  std::cout << "NaN in the padding changes nothing: " << std::boolalpha << identical(clean, survived) << '\n';

  // A query with nothing to look at gives zeros.
  const Tensor nothing = attend(x, x, x, {.mask = valid_lens({4, 0})});
  const bool zero = max(abs(nothing[1])).item() == 0;
  std::cout << "nothing to attend to gives 0: " << zero << "\n\n";

  // Two new queries at the end of four keys: with Lq != Lk the corner must be said.
  const Tensor last_two = x.slice(1, {.start = 2});
  try {
    attend(last_two, x, x, {.mask = causal()});
    return 1;
  } catch (const Error& e) {
    std::cout << "without a corner: " << e.what() << "\n\n";
  }
  const AttendResult tail = attend_with_weights(last_two, x, x, {.mask = causal(Align::kBottomRight)});
  std::cout << "the last two queries among four keys\n" << tail.weights()[0] << '\n';

  const bool triangle = tail.weights().at({0, 0, 3}) == 0 && tail.weights().at({0, 1, 3}) > 0;
  return identical(clean, survived) && zero && triangle ? 0 : 1;
}
