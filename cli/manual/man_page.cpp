// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "manual/facts.h"

#include <heed/version.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace heed::manual {
namespace {

/// As roff shows it: backslashes, hyphens that stay hyphens, and lines that are no requests.
std::string roff(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_line = i == 0 || text[i - 1] == '\n';
    if (starts_line && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '\\') {
      out += "\\e";
    } else if (text[i] == '-') {
      out += "\\-";
    } else if (text[i] == '\'') {
      out += "\\(aq";
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string heading(const std::string& page, const std::string& what) {
  std::string upper = page;
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH {} 1 \"\" \"heed {}\" \"heed\"\n.SH NAME\n{} \\- {}\n", roff(upper),
                     heed::version(), roff(page), roff(what));
}

std::string entry(const OptionFacts& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
  std::string text = ".TP\n" + names;
  if (option.value != Value::kNone && option.names.front().starts_with('-'))
    text += fmt::format(" \\fI{}\\fR", roff(option.type));
  text += "\n" + roff(option.text);
  if (!option.fallback.empty()) text += fmt::format(" [{}]", roff(option.fallback));
  return text + "\n";
}

constexpr const char* kExitStatus = ".SH EXIT STATUS\n0 done, 1 could not, 2 wrong usage.\n";

}  // namespace

std::string man_page(const ProgramFacts& program) {
  std::string text = heading("heed", "attention in C++");
  text += ".SH SYNOPSIS\n\\fBheed\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.SH COMMANDS\n";
  for (const CommandFacts& command : program.commands) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(command.name), roff(command.text));
  }
  text += kExitStatus;
  text += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < program.commands.size(); ++i) {
    text += fmt::format(".BR heed\\-{} (1){}\n", roff(program.commands[i].name),
                        i + 1 < program.commands.size() ? "," : "");
  }
  return text;
}

std::string man_page(const CommandFacts& command) {
  std::string text = heading("heed-" + command.name, command.text);
  text += fmt::format(".SH SYNOPSIS\n\\fBheed {}\\fR", roff(command.name));
  for (const OptionFacts& argument : command.arguments)
    text += fmt::format(" \\fI{}\\fR", roff(argument.names.front()));
  text += " [\\fIoptions\\fR]\n.SH OPTIONS\n";
  for (const OptionFacts& argument : command.arguments) text += entry(argument);
  std::string group;
  for (const OptionFacts& option : command.options) {
    if (option.group != group) text += fmt::format(".SS \"{}\"\n", roff(option.group));
    group = option.group;
    text += entry(option);
  }
  const std::string label = "Example:\n";
  if (command.example.starts_with(label)) {
    text += ".SH EXAMPLE\n.nf\n" + roff(command.example.substr(label.size())) + "\n.fi\n";
  }
  return text + kExitStatus + ".SH SEE ALSO\n.BR heed (1)\n";
}

}  // namespace heed::manual
