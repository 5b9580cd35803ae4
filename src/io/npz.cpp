// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// .npz: a ZIP archive of .npy files.
#include "io/npz.h"

#include "io/collection.h"
#include "io/npy.h"
#include "io/npy_header.h"
#include "io/zip.h"
#include "io/zip_writer.h"

#include <set>

namespace heed::io {
namespace {

constexpr std::string_view kSuffix = ".npy";

class Npz final : public Collection {
 public:
  explicit Npz(const Source& source) : source_(source), members_(read_zip_directory(source)) {
    std::set<std::string_view> seen;
    names_.reserve(members_.size());
    for (const ZipMember& member : members_) {
      const bool suffixed = member.name.ends_with(kSuffix);
      names_.push_back(member.name.substr(0, member.name.size() - (suffixed ? kSuffix.size() : 0)));
      check_at(seen.insert(names_.back()).second, {source.name(), member.entry}, "name", "{} appears twice",
               in_quotes(names_.back()));
    }
  }

  void check_tensor(std::size_t index) const override { (void)read_npy_header(*open(index)); }

  Tensor read(std::size_t index) const override {
    const auto reader = open(index);
    Tensor x = read_npy(*reader);
    reader->finish();
    return x;
  }

 private:
  std::unique_ptr<ZipReader> open(std::size_t index) const {
    return open_member(source_, members_[index], source_.name() + ":" + printable(names_[index]));
  }

  const Source& source_;
  std::vector<ZipMember> members_;
};

}  // namespace

std::unique_ptr<Collection> open_npz(const Source& source) { return std::make_unique<Npz>(source); }

void write_npz(OutputFile& file, const std::map<std::string, Tensor>& tensors, bool deflate) {
  ZipWriter zip(file, {.deflate = deflate});
  for (const auto& [name, x] : tensors) {
    zip.add(name + std::string(kSuffix), [&x = x](Sink& sink) { write_npy(sink, x); });
  }
  zip.finish();
}

}  // namespace heed::io
