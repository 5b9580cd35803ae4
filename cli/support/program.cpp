#include "program.h"

#include "machine.h"

#include <heed/runtime.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

void complain(std::string message) {
  std::ranges::replace_if(
      message, [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
  fmt::print(stderr, "heed: {}\n", message);
}

int run_program(int (*run)(int argc, char** argv), int argc, char** argv) {
  try {
    // More would be killed by the system, which says nothing.
    heed::set_memory_limit(usable_memory());
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
  } catch (const std::exception& e) {
    complain(e.what());
  }
  return kCouldNot;
}
