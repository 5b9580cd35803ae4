// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What is written to the standard output leaves in one piece: after an error nothing of it has been printed, and formats that
// go back to write over what they wrote can be printed too.
#pragma once

#include "core/output_file.h"

namespace heed {

class StandardOutput final : public OutputFile {
 public:
  StandardOutput();
  void commit() override;
};

}  // namespace heed
