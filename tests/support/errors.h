// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tables of calls that must fail, each with a part of the message.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace heed::test {

struct FailingCall {
  std::function<void()> call;
  std::string message;
};

/// Each call throws heed::Error, and its text holds `message`.
void expect_errors(const std::vector<FailingCall>& calls);
void expect_error(const std::function<void()>& call, const std::string& message);

}  // namespace heed::test
