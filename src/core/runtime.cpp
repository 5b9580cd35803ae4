#include "core/check.h"
#include "core/parallel.h"

#include <heed/runtime.h>
#include <heed/version.h>

#include <atomic>

namespace heed {
namespace {

// 0: follow OpenMP (OMP_NUM_THREADS, omp_set_num_threads).
std::atomic<int> chosen_threads{0};

}  // namespace

int num_threads() noexcept {
  const int chosen = chosen_threads.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : omp_get_max_threads();
}

void set_num_threads(int threads) {
  check(threads >= 1, "set_num_threads", "threads must be at least 1, found {}", threads);
  chosen_threads.store(threads, std::memory_order_relaxed);
}

int usable_threads() noexcept { return omp_in_parallel() ? 1 : num_threads(); }

#define HEED_TEXT2(x) #x
#define HEED_TEXT(x) HEED_TEXT2(x)
const char* version() noexcept {
  return HEED_TEXT(HEED_VERSION_MAJOR) "." HEED_TEXT(HEED_VERSION_MINOR) "." HEED_TEXT(HEED_VERSION_PATCH);
}

}  // namespace heed
