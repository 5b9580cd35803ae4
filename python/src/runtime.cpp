// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"

#include <heed/autograd.h>
#include <heed/runtime.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

namespace heed::python {
namespace {

/// `with heed.no_grad():`, any number of times and nested.
class NoGradContext {
 public:
  NoGradContext() = default;
  NoGradContext(const NoGradContext&) = delete;
  NoGradContext& operator=(const NoGradContext&) = delete;

  void enter() { guards_.push_back(std::make_unique<NoGrad>()); }
  void exit() { guards_.pop_back(); }

 private:
  std::vector<std::unique_ptr<NoGrad>> guards_;
};

}  // namespace

void bind_runtime(nb::module_& m) {
  nb::class_<NoGradContext>(m, "no_grad",
                            "While inside, the calling thread records nothing.\n\n"
                            ">>> x = heed.ones((1,)).requires_grad_()\n>>> with heed.no_grad():\n"
                            "...     (x * 2).requires_grad\nFalse")
      .def(nb::init<>())
      .def("__enter__", &NoGradContext::enter)
      .def(
          "__exit__", [](NoGradContext& context, const nb::args&) { context.exit(); },
          nb::sig("def __exit__(self, *exception: object) -> None"));
  m.def("grad_enabled", &grad_enabled,
        "Whether the calling thread records.\n\n>>> heed.grad_enabled()\nTrue");
  m.def("num_threads", &num_threads, "Threads a call may use.\n\n>>> heed.num_threads() >= 1\nTrue");
  m.def("set_num_threads", &set_num_threads, "threads"_a,
        "Threads a call may use; the results are the same bits for any number.\n\n"
        ">>> heed.set_num_threads(heed.num_threads())");
  nb::class_<MemoryUse>(m, "MemoryUse",
                        "Bytes of tensor and workspace memory.\n\n>>> heed.memory_use().current >= 0\nTrue")
      .def_ro("current", &MemoryUse::current, "Held now.")
      .def_ro("peak", &MemoryUse::peak, "The most held since reset_peak_memory().")
      .def_ro("allocations", &MemoryUse::allocations, "How many there were.")
      .def_ro("cached", &MemoryUse::cached, "Freed blocks kept for reuse.");
  m.def("memory_use", &memory_use, "What heed holds now.\n\n>>> heed.memory_use().peak >= 0\nTrue");
  m.def("reset_peak_memory", &reset_peak_memory, "Starts peak anew.\n\n>>> heed.reset_peak_memory()");
  m.def("release_cached_memory", &release_cached_memory,
        "Gives the blocks kept for reuse back.\n\n>>> heed.release_cached_memory()");
  m.def("set_memory_limit", &set_memory_limit, "bytes"_a,
        "More than this is an Error; 0 takes the limit away.\n\n>>> heed.set_memory_limit(0)");
  m.def("simd_tiers", &simd_tiers,
        "Instruction sets this CPU can run, best first.\n\n"
        ">>> \"baseline\" in heed.simd_tiers()\nTrue");
  m.def("simd_tier", &simd_tier, "The one that runs.\n\n>>> heed.simd_tier() in heed.simd_tiers()\nTrue");
  m.def("set_simd_tier", &set_simd_tier, "name"_a, "Picks one.\n\n>>> heed.set_simd_tier(heed.simd_tier())");
}

}  // namespace heed::python
