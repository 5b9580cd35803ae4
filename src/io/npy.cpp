// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/npy.h"

#include "io/bytes.h"
#include "io/elements.h"
#include "io/npy_header.h"

namespace heed::io {

Tensor read_npy(const Source& source) {
  RangeReader reader(source);
  return read_npy(reader);
}

Tensor read_npy(Reader& reader) {
  const Layout layout = read_npy_header(reader);
  return read_elements(reader, layout);
}

void write_npy(Sink& sink, const Tensor& x) {
  sink.write(as_bytes(npy_header(x)));
  write_elements(sink, x);
}

}  // namespace heed::io
