// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "mask_options.h"

#include "support/numbers.h"
#include "usage.h"

#include <heed/quote.h>

#include <fmt/format.h>

#include <algorithm>

namespace {

/// CLI11's validators return what is wrong, or nothing.
std::string check_window(const std::string& text) {
  const auto reach = parse_integers(text);
  const bool right =
      reach && reach->size() <= 2 && std::ranges::all_of(*reach, [](auto n) { return n >= 0; });
  return right ? "" : fmt::format("{} is not N or LEFT,RIGHT, numbers of keys", heed::in_quotes(text));
}

}  // namespace

void add_mask_options(CLI::App& command, heed::command::MaskFlags& flags) {
  const char* group = "Masks: a pair of query and key takes part if all let it through";
  command
      .add_option("--valid-lens", flags.valid_lens,
                  "The first so many keys: (B,) as 2,6 or (B, Lq) as 1,2;3,4")
      ->type_name("LIST|FILE")
      ->group(group);
  command
      .add_option("--causal", flags.causal, "Keys up to the query's own position, counted from this corner")
      ->check(one_of({"top-left", "bottom-right"}))
      ->type_name("top-left|bottom-right")
      ->group(group);
  command.add_option("--window", flags.window, "So many keys before and after the query's own position")
      ->type_name("N|LEFT,RIGHT")
      ->check(check_window, "")
      ->group(group);
  command.add_option("--align", flags.align, "The corner of the window, where Lq and Lk differ")
      ->check(one_of({"top-left", "bottom-right"}))
      ->type_name("top-left|bottom-right")
      ->group(group);
  command.add_option("--mask", flags.mask, "Booleans, or 0 and 1; broadcast to the scores; true is attend")
      ->type_name("FILE")
      ->group(group);
}

void check_mask_usage(const heed::command::MaskFlags& flags) {
  if (!flags.align.empty() && flags.window.empty())
    throw CLI::ValidationError("--align", "only for --window");
  if (!flags.align.empty() && !flags.causal.empty() && flags.align != flags.causal) {
    throw CLI::ValidationError("--align", "--causal names another corner");
  }
}
