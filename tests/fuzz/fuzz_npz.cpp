// What is written again is the .npy inside, which fuzz_npy covers; here it is the archive that matters.
#include "fuzz/fuzz.h"
#include "io/collection.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed;
  return fuzz::run(data, size, [](const io::Source& source) {
    const auto tensors = io::open_npz(source);
    for (std::size_t i = 0; i < tensors->names().size(); ++i) {
      // A bad member is no reason not to look at the next.
      try {
        tensors->check_tensor(i);
        (void)tensors->read(i);
      } catch (const Error&) {
      }
    }
  });
}
