// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// convert IN OUT: loads a file and saves it under another name, so that other programs can compare the two.
// convert --compress IN OUT does the same, deflated.
#include <heed/heed.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool compress = !arguments.empty() && arguments.front() == "--compress";
  if (compress) arguments.erase(arguments.begin());
  if (arguments.size() != 2) return 2;
  try {
    const std::string& in = arguments[0];
    const std::string& out = arguments[1];
    const heed::SaveOptions options{.compress = compress};
    const bool named = in.ends_with(".npz") || in.ends_with(".safetensors");
    if (named && !out.ends_with(".npy")) {
      heed::save_all(out, heed::load_all(in), options);
    } else {
      heed::save(out, heed::load(in), options);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
