// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "cases.h"

namespace heed::bench {

const Cases& all_cases() {
  static const Cases kCases = [] {
    Cases all;
    for (const auto add : {add_forward_cases, add_backward_cases, add_decode_cases, add_additive_cases,
                           add_gaussian_cases, add_option_cases, add_module_cases, add_small_cases}) {
      add(all);
    }
    return all;
  }();
  return kCases;
}

}  // namespace heed::bench
