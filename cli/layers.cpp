// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed multi-head, self-attention and attention-layer: modules with saved parameters, over files.
#include "layers/parameters.h"

#include "attend/operands.h"
#include "commands.h"
#include "file_options.h"
#include "mask_options.h"
#include "support/figure.h"
#include "support/files.h"
#include "support/result.h"
#include "usage.h"

#include <heed/autograd.h>

#include <memory>

namespace {

using heed::Tensor;
namespace command = heed::command;

struct Options {
  std::string queries, keys, values;  ///< of self-attention, queries alone
  std::string params;
  std::int64_t heads = 0;
  command::MaskFlags masks;
  ReadFlags read;
  ResultFlags result;
  std::string weights, heatmap;
};

struct Inputs {
  Tensor queries, keys, values;
  heed::Mask mask;
};

heed::Mask read_mask(const command::MaskFlags& flags, const Tensor& queries, const Tensor& keys) {
  heed::Mask mask;
  if (!flags.valid_lens.empty()) mask = mask & heed::valid_lens(command::read_lengths(flags, queries));
  if (const auto band = command::read_band(flags, queries.size(-2), keys.size(-2)))
    mask = mask & heed::window(*band);
  if (!flags.mask.empty()) mask = mask & heed::mask(command::load_mask(flags.mask, flags.csv));
  return mask;
}

Inputs read_inputs(Options& o, heed::Dtype dtype) {
  o.masks.csv = csv_options(o.read);
  const auto read = [&](const std::string& address) {
    return command::as_rows(command::load_floats(address, o.masks.csv)).to(dtype);
  };
  Inputs inputs{.queries = read(o.queries), .keys = {}, .values = {}, .mask = {}};
  inputs.keys = o.keys.empty() ? inputs.queries : read(o.keys);
  inputs.values = o.values.empty() ? inputs.queries : read(o.values);
  inputs.mask = read_mask(o.masks, inputs.queries, inputs.keys);
  return inputs;
}

/// Everything is computed before anything is written, and everything is written before anything is printed.
template <class Module, class Forward>
void run(Options& o, Module module, const Forward& forward) {
  const Inputs inputs = read_inputs(o, module.parameters().front().dtype());
  const Tensor out = forward(module, inputs);
  const bool wants_weights = !o.weights.empty() || !o.heatmap.empty();
  const Tensor weights = wants_weights ? module.attention_weights() : Tensor();
  const heed::viz::Heatmap map{.values = weights, .x_label = "keys", .y_label = "queries"};
  const bool drawn_here = o.heatmap == "-";
  if (!o.weights.empty()) save_output(WriteFlags{.path = o.weights}, weights);
  if (!o.heatmap.empty() && !drawn_here) show_figure(o.heatmap, map);
  give(o.result, out, drawn_here ? Reader::kPerson : reader_of_output());
  if (drawn_here) show_figure(o.heatmap, map);
}

void check_usage(const Options& o) {
  check_mask_usage(o.masks);
  check_result_usage(o.result);
  if (o.result.json && o.heatmap == "-")
    throw CLI::ValidationError("--heatmap", "- and --json both print; give one of them");
  check_distinct({{"--out", o.result.out.path}, {"--weights", o.weights}, {"--heatmap", o.heatmap}});
  check_writing(o.result.out);
  check_output(o.weights, kTensorSuffixes);
  check_figure_output(o.heatmap);
}

/// What the command does: `load` makes the module, `forward` calls it.
template <class Load, class Forward>
void set_callback(CLI::App& app, const std::shared_ptr<Options>& o, const Load& load,
                  const Forward& forward) {
  app.callback([o, load, forward] {
    const heed::NoGrad guard;
    check_usage(*o);
    run(*o, load(*o), forward);
  });
}

heed::Tensor attend_to_others(auto& module, const Inputs& in) {
  return module(in.queries, in.keys, in.values, in.mask);
}

/// Options that the three have in common.
void add_common_options(CLI::App& app, Options& o, const char* params) {
  app.add_option("--params", o.params, params)->type_name("FILE")->required()->group("Layer");
  add_mask_options(app, o.masks);
  add_reading_options(app, o.read);
  add_result_options(app, o.result);
  app.add_option("--weights", o.weights, "Write the weights there")->type_name("FILE")->group("Output");
  app.add_option("--heatmap", o.heatmap, "Draw the weights: .svg, .png, .pdf, or - for the terminal")
      ->type_name("FILE")
      ->group("Output");
  app.add_flag("--quiet", o.read.quiet, "No notes")->group("Output");
}

void add_inputs(CLI::App& app, Options& o) {
  const auto file = [&](const char* name, std::string& place, const char* description) {
    app.add_option(name, place, description)->type_name("FILE")->required()->group("Input, needed");
  };
  file("--queries", o.queries, "(Lq, size) or (B, Lq, size)");
  file("--keys", o.keys, "(Lk, size), with the queries' batches");
  file("--values", o.values, "(Lk, size), with the keys' batches");
}

void add_heads(CLI::App& app, Options& o) {
  app.add_option("--heads", o.heads, "So many; they divide the hidden size")
      ->type_name("N")
      ->check(whole_number(1))
      ->required()
      ->group("Layer");
}

constexpr const char* kMultiHeadParams =
    "W_q.weight, W_k, W_v, W_o and their biases, or what PyTorch's MultiheadAttention saves: .npz or "
    ".safetensors";

}  // namespace

void add_multi_head(CLI::App& app) {
  CLI::App* sub = app.add_subcommand("multi-head", "Multi-head attention with saved parameters, from files");
  const auto o = std::make_shared<Options>();
  add_inputs(*sub, *o);
  add_heads(*sub, *o);
  add_common_options(*sub, *o, kMultiHeadParams);
  set_example(*sub,
              "printf '1,0\\n0,1\\n' > w.csv\n"
              "heed pack W_q.weight=w.csv W_k.weight=w.csv W_v.weight=w.csv W_o.weight=w.csv --out p.npz\n"
              "printf '1,0\\n0,1\\n1,1\\n' > x.csv\n"
              "heed multi-head --params p.npz --heads 2 --queries x.csv --keys x.csv --values x.csv");
  set_callback(
      *sub, o, [](const Options& given) { return command::multi_head_attention(given.params, given.heads); },
      [](auto& module, const Inputs& in) { return attend_to_others(module, in); });
}

void add_self_attention(CLI::App& app) {
  CLI::App* sub = app.add_subcommand(
      "self-attention", "A sequence that attends to itself in several heads, with saved parameters");
  const auto o = std::make_shared<Options>();
  sub->add_option("X", o->queries, "The sequence: (L, size) or (B, L, size)")->type_name("FILE")->required();
  add_heads(*sub, *o);
  add_common_options(*sub, *o, kMultiHeadParams);
  set_example(*sub,
              "printf '1,0\\n0,1\\n' > w.csv\n"
              "heed pack W_q.weight=w.csv W_k.weight=w.csv W_v.weight=w.csv W_o.weight=w.csv --out p.npz\n"
              "printf '1,0\\n0,1\\n1,1\\n' > x.csv\n"
              "heed self-attention x.csv --params p.npz --heads 2");
  set_callback(
      *sub, o, [](const Options& given) { return command::self_attention(given.params, given.heads); },
      [](auto& module, const Inputs& in) { return module(in.queries, in.mask); });
}

void add_attention_layer(CLI::App& app) {
  CLI::App* sub =
      app.add_subcommand("attention-layer", "One head of attention with its four linear layers, from files");
  const auto o = std::make_shared<Options>();
  add_inputs(*sub, *o);
  add_common_options(*sub, *o, "linears.0.weight to linears.3.bias: .npz or .safetensors");
  set_example(*sub,
              "printf '1,0\\n0,1\\n' > w.csv\n"
              "printf '0\\n0\\n' > b.csv\n"
              "heed pack linears.0.weight=w.csv linears.0.bias=b.csv:1 linears.1.weight=w.csv "
              "linears.1.bias=b.csv:1 \\\n"
              "  linears.2.weight=w.csv linears.2.bias=b.csv:1 linears.3.weight=w.csv linears.3.bias=b.csv:1 "
              "--out p.npz\n"
              "heed attention-layer --params p.npz --queries w.csv --keys w.csv --values w.csv");
  set_callback(
      *sub, o, [](const Options& given) { return command::attention_layer(given.params); },
      [](auto& module, const Inputs& in) { return attend_to_others(module, in); });
}
