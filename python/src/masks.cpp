// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"
#include "shown.h"

#include <heed/error.h>
#include <heed/mask.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace heed::python {
namespace {

std::optional<Align> to_align(const std::optional<std::string>& align, const char* where) {
  if (!align) return std::nullopt;
  if (*align == "top_left") return Align::kTopLeft;
  if (*align == "bottom_right") return Align::kBottomRight;
  throw Error(std::string(where) + ": align must be \"top_left\" or \"bottom_right\", found " +
              shown(*align));
}

}  // namespace

void bind_masks(nb::module_& m) {
  nb::class_<Mask>(
      m, "Mask",
      "Which (query, key) pairs take part; masks compose by &. Mask() lets everything through.\n\n"
      ">>> both = heed.valid_lens([2]) & heed.causal()\n"
      ">>> heed.attend(np.zeros((1, 3, 1)), np.zeros((1, 3, 1)), np.eye(3)[None], mask=both)[0, 2]\n"
      "array([0.5, 0.5, 0. ])")
      .def(nb::init<>())
      .def(
          "__and__", [](const Mask& a, const Mask& b) { return a & b; }, nb::is_operator())
      .def_prop_ro("empty", &Mask::empty, "Whether it lets everything through.");
  m.def(
      "valid_lens", [](nb::object lengths) { return valid_lens(to_whole(lengths, "valid_lens: lengths")); },
      "lengths"_a, nb::sig("def valid_lens(lengths: heed._typing.ArrayLike) -> Mask"),
      "The first n keys: (B,) for all queries of a batch, (B, Lq) one by one.\n\n"
      ">>> mask = heed.valid_lens([2, 3])");
  m.def(
      "causal",
      [](const std::optional<std::string>& align) {
        const std::optional<Align> corner = to_align(align, "causal");
        return corner ? causal(*corner) : causal();
      },
      "align"_a = nb::none(),
      nb::sig("def causal(align: typing.Literal[\"top_left\", \"bottom_right\"] | None = None) -> Mask"),
      "Keys up to the query's own position. With Lq != Lk, say which corner the diagonal starts from.\n\n"
      ">>> mask = heed.causal(align=\"bottom_right\")");
  m.def(
      "window",
      [](std::optional<std::int64_t> left, std::optional<std::int64_t> right,
         const std::optional<std::string>& align) {
        return window({left, right, to_align(align, "window")});
      },
      "left"_a = nb::none(), "right"_a = nb::none(), "align"_a = nb::none(),
      nb::sig(
          "def window(left: int | None = None, right: int | None = None, align: typing.Literal[\"top_left\", "
          "\"bottom_right\"] | None = None) -> Mask"),
      "Keys near the query's own position: so many before and after it.\n\n>>> mask = heed.window(left=2, "
      "right=0)");
  m.def(
      "mask", [](nb::object allowed) { return mask(to_tensor(allowed, "mask: allowed")); }, "allowed"_a,
      nb::sig("def mask(allowed: heed._typing.ArrayLike) -> Mask"),
      "Where a boolean array that broadcasts to the scores is true.\n\n>>> mask = heed.mask([[True, "
      "False]])");
}

}  // namespace heed::python
