// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/errors.h"

#include <gtest/gtest.h>
#include <heed/error.h>

namespace heed::test {

void expect_error(const std::function<void()>& call, const std::string& message) {
  try {
    call();
    ADD_FAILURE() << "no error, expected: " << message;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
        << "found:    " << error.what() << "\nexpected: " << message;
  }
}

void expect_errors(const std::vector<FailingCall>& calls) {
  for (const FailingCall& failing : calls) expect_error(failing.call, failing.message);
}

}  // namespace heed::test
