// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed explain: which kernel a call would take, and why not the others.
#include "commands.h"
#include "support/output.h"
#include "usage.h"

#include <heed/explain.h>
#include <heed/ops.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace {

struct Options {
  std::string score = "scaled-dot";
  std::vector<std::int64_t> shape;
  std::int64_t keys = -1, key_value_heads = -1, value_size = -1, hidden = -1;
  std::string dtype = "f32", causal;
  bool bias = false, mask = false, json = false;
  double softcap = 0, dropout = 0;
};

/// A tensor of that shape over one number: what explain looks at is its shape.
heed::Tensor shaped(const heed::Shape& shape, heed::Dtype dtype) {
  return heed::zeros({1}, dtype).expand(shape);
}

heed::Score score_of(const Options& o, std::int64_t D, heed::Dtype dtype) {
  if (o.score == "dot") return heed::Dot{};
  if (o.score == "gaussian") return heed::Gaussian{};
  if (o.score == "scaled-dot") return heed::ScaledDot{};
  const std::int64_t hidden = o.hidden < 0 ? D : o.hidden;
  const heed::Tensor W = shaped({hidden, D}, dtype);
  return heed::Additive{.W_q = W, .W_k = W, .w_v = shaped({hidden}, dtype)};
}

heed::Explanation explanation(const Options& o) {
  const heed::Dtype dtype = o.dtype == "f64" ? heed::f64 : heed::f32;
  const std::size_t rank = o.shape.size();
  if (rank < 2 || rank > 4)
    throw CLI::ValidationError("--shape", "give 2 to 4 sizes: B,H,L,D or B,L,D or L,D");
  heed::Shape queries(std::span<const std::int64_t>(o.shape)), keys = queries;
  const auto last = static_cast<std::int64_t>(rank) - 1;
  if (o.keys >= 0) keys[last - 1] = o.keys;
  if (o.key_value_heads >= 0) {
    if (rank != 4) throw CLI::ValidationError("--kv-heads", "needs a shape of 4 sizes");
    keys[1] = o.key_value_heads;
  }
  heed::Shape values = keys;
  if (o.value_size >= 0) values[last] = o.value_size;
  heed::AttendOptions options{.score = score_of(o, o.shape.back(), dtype), .dropout = o.dropout};
  // Broadcast to all rows: there may be more pairs than a shape can count.
  const heed::Shape pairs = {1, keys[last - 1]};
  if (o.bias) options.bias = shaped(pairs, dtype);
  if (o.mask) options.mask = heed::mask(heed::ones({1}, heed::boolean).expand(pairs));
  if (!o.causal.empty()) {
    options.mask = options.mask &
                   heed::causal(o.causal == "top-left" ? heed::Align::kTopLeft : heed::Align::kBottomRight);
  }
  if (o.softcap > 0) options.softcap = o.softcap;
  return heed::explain(shaped(queries, dtype), shaped(keys, dtype), shaped(values, dtype), options);
}

std::string json_text(const heed::Explanation& e) {
  // A whole number, as long as it can be held as one.
  const nlohmann::ordered_json pairs = e.pairs < 0x1p53
                                           ? nlohmann::ordered_json(static_cast<std::int64_t>(e.pairs))
                                           : nlohmann::ordered_json(e.pairs);
  nlohmann::ordered_json json = {{"kernel", e.kernel},
                                 {"tier", e.tier},
                                 {"how", e.how},
                                 {"query_rows", e.query_rows},
                                 {"key_rows", e.key_rows},
                                 {"chunk_rows", e.chunk_rows},
                                 {"forward_tasks", e.forward_tasks},
                                 {"backward_tasks", e.backward_tasks},
                                 {"pairs", pairs},
                                 {"forward_flop", e.forward_flop},
                                 {"backward_flop", e.backward_flop},
                                 {"forward_bytes", e.forward_bytes},
                                 {"backward_bytes", e.backward_bytes}};
  for (const heed::Alternative& a : e.alternatives) {
    json["alternatives"].push_back({{"kernel", a.kernel}, {"why_not", a.why_not}});
  }
  return json.dump(2) + "\n";
}

}  // namespace

void add_explain(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("explain", "Say which kernel a call of attend takes, and why not another");
  const auto options = std::make_shared<Options>();
  command->option_defaults()->group("Call");
  command->add_option("--shape", options->shape, "Of the queries: B,H,L,D or B,L,D or L,D")
      ->type_name("SIZES")
      ->delimiter(',')
      ->check(whole_number(0))
      ->required();
  command->add_option("--score", options->score, "The score")
      ->type_name("scaled-dot|dot|gaussian|additive")
      ->check(one_of({"scaled-dot", "dot", "gaussian", "additive"}))
      ->capture_default_str();
  command->add_option("--keys", options->keys, "Number of keys; as many as queries otherwise")
      ->type_name("N")
      ->check(whole_number(0));
  command->add_option("--kv-heads", options->key_value_heads, "Key-value heads, if fewer than query heads")
      ->type_name("N")
      ->check(whole_number(1));
  command->add_option("--value-size", options->value_size, "Features of a value; D otherwise")
      ->type_name("N")
      ->check(whole_number(0));
  command->add_option("--hidden", options->hidden, "Hidden size of the additive score; D otherwise")
      ->type_name("N")
      ->check(whole_number(0));
  command->add_option("--dtype", options->dtype, "Element type")
      ->type_name("f32|f64")
      ->check(one_of({"f32", "f64"}))
      ->capture_default_str();
  command->add_option("--causal", options->causal, "A causal mask from this corner")
      ->type_name("top-left|bottom-right")
      ->check(one_of({"top-left", "bottom-right"}));
  command->add_flag("--bias", options->bias, "With a bias");
  command->add_flag("--mask", options->mask, "With a boolean mask");
  command->add_option("--softcap", options->softcap, "With a softcap")->type_name("C")->check(positive());
  command->add_option("--dropout", options->dropout, "With dropout")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0).description(""));
  command->add_flag("--json", options->json, "As JSON")->group("Output");
  set_example(*command, "heed explain --score additive --shape 4,1,512,64");
  command->callback([options] {
    const heed::Explanation e = explanation(*options);
    print(options->json ? json_text(e) : e.text());
  });
}
