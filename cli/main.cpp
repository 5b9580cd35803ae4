// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The heed command. Exit codes: 0 done, 1 could not, 2 wrong usage.
#include "commands.h"
#include "help.h"
#include "support/output.h"
#include "support/program.h"
#include "usage.h"

#include <heed/version.h>

#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>

namespace {

int run(int argc, char** argv) {
  CLI::App app("heed: attention in C++.", "heed");
  app.formatter(std::make_shared<Help>());
  app.set_version_flag("--version", fmt::format("heed {}", heed::version()), "Print the version and stop");
  app.footer("Exit codes: 0 done, 1 could not, 2 wrong usage.\nStart with: heed tour");
  app.require_subcommand(0, 1);
  add_tour(app);
  add_attend(app);
  add_masked_softmax(app);
  add_bmm(app);
  add_attention_layer(app);
  add_self_attention(app);
  add_multi_head(app);
  add_regress(app);
  add_describe(app);
  add_pack(app);
  add_encode(app);
  add_plot(app);
  add_explain(app);
  add_bench(app);
  add_doctor(app);
  add_man(app);
  add_completion(app);
  add_threads(app);
  arrange_help(app);
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw CLI::RequiredError("A command, such as tour,");
  } catch (const CLI::CallForHelp&) {
    print(app.help());
  } catch (const CLI::CallForVersion& e) {
    print(std::string(e.what()) + "\n");
  } catch (const CLI::ParseError& e) {
    complain(shortened(complaint(app, e), {argv, static_cast<std::size_t>(argc)}));
    return kWrongUsage;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_program(run, argc, argv); }
