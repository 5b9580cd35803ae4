// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"

#include <heed/io.h>
#include <heed/nn/state_file.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <string_view>

namespace heed::python {

void bind_io(nb::module_& m) {
  m.def(
      "load", [](const std::filesystem::path& address) { return load(address.string()); }, "address"_a,
      WhileComputing(), nb::sig("def load(address: str | os.PathLike[str]) -> Tensor"),
      "The tensor at an address: x.npy, x.npz:keys, x.safetensors:keys, x.csv:waist.\n\n"
      ">>> heed.save(tmp / \"x.npy\", heed.ones((2,)))\n>>> heed.load(tmp / \"x.npy\")\ntensor([1., 1.])");
  m.def(
      "load_all", [](const std::filesystem::path& path) { return load_all(path.string()); }, "path"_a,
      WhileComputing(), nb::sig("def load_all(path: str | os.PathLike[str]) -> dict[str, Tensor]"),
      "Every tensor of a .npz or .safetensors file, or every column of a CSV file.\n\n"
      ">>> heed.save_all(tmp / \"x.npz\", {\"a\": heed.ones((1,))})\n>>> heed.load_all(tmp / \"x.npz\")\n"
      "{'a': tensor([1.])}");
  m.def(
      "save",
      [](const std::filesystem::path& path, const Input& x, bool compress) {
        save(path.string(), x, {compress});
      },
      "path"_a, "x"_a, nb::kw_only(), "compress"_a = false, WhileComputing(),
      nb::sig("def save(path: str | os.PathLike[str], x: heed._typing.ArrayLike, *, compress: bool = False) "
              "-> None"),
      "Writes x in the format that the path ends in. The file is replaced in one step.\n\n"
      ">>> heed.save(tmp / \"x.npy\", np.ones(2))");
  m.def(
      "file_format",
      [](const std::filesystem::path& path) {
        switch (file_format(path.string())) {
          case FileFormat::kNpy: return "npy";
          case FileFormat::kNpz: return "npz";
          case FileFormat::kSafetensors: return "safetensors";
          case FileFormat::kCsv: break;
        }
        return "csv";
      },
      "path"_a, nb::sig("def file_format(path: str | os.PathLike[str]) -> str"),
      "\"npy\", \"npz\", \"safetensors\" or \"csv\": by the end of the path, or else by the first bytes of "
      "the file.\n\n"
      ">>> heed.file_format(\"x.npz\")\n'npz'");
  m.def(
      "save_bytes",
      [](const std::filesystem::path& path, const nb::bytes& bytes) {
        const std::string_view view(bytes.c_str(), bytes.size());
        const Computing computing;
        save_bytes(path.string(), view);
      },
      "path"_a, "bytes"_a, nb::sig("def save_bytes(path: str | os.PathLike[str], bytes: bytes) -> None"),
      "Writes bytes of any kind. The file is replaced in one step here too.\n\n"
      ">>> heed.save_bytes(tmp / \"note.txt\", b\"57\")\n>>> (tmp / \"note.txt\").read_bytes()\nb'57'");
  m.def(
      "save_all",
      [](const std::filesystem::path& path, const std::map<std::string, Input>& tensors, bool compress) {
        save_all(path.string(), {tensors.begin(), tensors.end()}, {compress});
      },
      "path"_a, "tensors"_a, nb::kw_only(), "compress"_a = false, WhileComputing(),
      nb::sig("def save_all(path: str | os.PathLike[str], tensors: collections.abc.Mapping[str, "
              "heed._typing.ArrayLike], *, compress: bool = False) -> None"),
      "Writes several tensors to a .npz or .safetensors file, or columns to a CSV file.\n\n"
      ">>> heed.save_all(tmp / \"x.safetensors\", {\"a\": np.ones(1)})");
}

}  // namespace heed::python
