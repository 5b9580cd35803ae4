// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed doctor: what this machine and this build have, and what is wrong with it.
#include "commands.h"
#include "doctor/findings.h"
#include "support/output.h"
#include "usage.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace {

using heed::command::Findings;
using heed::command::Section;

std::string text_of(const Findings& findings) {
  std::string text;
  for (const Section& section : findings.sections) {
    text += section.name + "\n";
    for (const auto& [name, value] : section.facts) text += fmt::format("  {:<18}{}\n", name, value);
  }
  text += findings.problems.empty() ? "no problems found\n" : "problems\n";
  for (const std::string& problem : findings.problems) text += fmt::format("  {}\n", problem);
  return text;
}

std::string json_of(const Findings& findings) {
  nlohmann::ordered_json json;
  for (const Section& section : findings.sections) {
    for (const auto& [name, value] : section.facts) json[section.name][name] = value;
  }
  json["problems"] = findings.problems;
  return json.dump(2) + "\n";
}

}  // namespace

void add_doctor(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("doctor", "Say what this machine and this build have, and what is wrong");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON")->group("Output");
  set_example(*command, "heed doctor");
  command->callback([json] {
    const Findings findings = heed::command::look_around();
    print(*json ? json_of(findings) : text_of(findings));
  });
}
