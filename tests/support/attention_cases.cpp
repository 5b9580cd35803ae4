// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/attention_cases.h"

#include "core/philox.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace heed::test {

const char* text(ScoreName score) {
  switch (score) {
    case ScoreName::kScaledDot: return "ScaledDot";
    case ScoreName::kDot: return "Dot";
    case ScoreName::kGaussian: return "Gaussian";
    case ScoreName::kAdditive: return "Additive";
  }
  return "";
}

std::int64_t random_int(Generator& generator, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(generator.next() % static_cast<std::uint64_t>(high - low + 1));
}

bool chance(Generator& generator, double probability) {
  return static_cast<double>(generator.next() >> 11) * 0x1p-53 < probability;
}

std::string AttentionCase::describe() const {
  std::ostringstream out;
  out << text(score) << " rank " << rank << " B" << B << " H" << H << "/" << Hkv << " Lq" << Lq << " Lk" << Lk
      << " D" << D << " Dk" << Dk << " Dv" << Dv << " lengths " << static_cast<int>(lengths) << " band "
      << static_cast<int>(band) << " align " << static_cast<int>(align) << " mask " << boolean_mask
      << " bias " << static_cast<int>(bias) << " softcap " << softcap << " dropout " << dropout << " "
      << name(dtype);
  return out.str();
}

AttentionCase random_case(Generator& g) { return random_case(g, kAllScores[random_int(g, 0, 3)]); }

AttentionCase random_case(Generator& g, ScoreName score) {
  constexpr std::int64_t kSizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 15, 16, 17};
  const auto size = [&] { return chance(g, 0.02) ? 0 : kSizes[random_int(g, 0, 12)]; };
  AttentionCase c;
  c.rank = random_int(g, 2, 4);
  c.B = c.rank >= 3 ? random_int(g, 1, 3) : 1;
  c.Hkv = c.rank == 4 ? random_int(g, 1, 3) : 1;
  c.H = c.rank == 4 ? c.Hkv * random_int(g, 1, 3) : 1;
  c.Lq = size();
  c.Lk = chance(g, 0.3) ? c.Lq : size();
  c.D = std::max<std::int64_t>(size(), score == ScoreName::kAdditive ? 1 : 0);
  c.Dk = score == ScoreName::kAdditive ? std::max<std::int64_t>(size(), 1) : c.D;
  c.Dv = size();
  c.score = score;
  c.lengths = static_cast<AttentionCase::Lengths>(random_int(g, 0, 2));
  c.band = static_cast<AttentionCase::Band>(random_int(g, 0, 2));
  c.align = chance(g, 0.5) ? Align::kTopLeft : Align::kBottomRight;
  c.boolean_mask = chance(g, 0.4);
  c.bias = static_cast<AttentionCase::Bias>(random_int(g, 0, 3));
  c.softcap = chance(g, 0.3);
  c.dropout = chance(g, 0.3) ? 0.4 : 0;
  c.per_feature_width = chance(g, 0.5);
  return c;
}

AttentionCase random_long_case(Generator& g, ScoreName score) {
  // One more than a query block, a key block, a chunk of keys and two chunks have: with three it shows in which order they are
  // merged.
  constexpr std::int64_t kBlock = 65, kLengths[] = {kBlock, 193, 2305, 4609};
  AttentionCase c = random_case(g, score);
  const bool many_keys = chance(g, 0.6);
  const std::int64_t length = kLengths[random_int(g, 0, 3)];
  (many_keys ? c.Lk : c.Lq) = length;
  if (chance(g, 0.5)) (many_keys ? c.Lq : c.Lk) = length < kLengths[3] ? kBlock : 17;
  c.B = c.rank == 3 ? 2 : 1;
  c.Hkv = c.rank == 4 ? random_int(g, 1, 2) : 1;
  c.H = c.rank == 4 ? 2 : 1;
  return c;
}

namespace {

/// Leading dims of a rank: (), (B,) or (B, H), then the last two.
Shape headed_shape(const AttentionCase& c, std::int64_t heads, std::int64_t rows, std::int64_t columns) {
  if (c.rank == 2) return {rows, columns};
  if (c.rank == 3) return {c.B, rows, columns};
  return {c.B, heads, rows, columns};
}

Tensor random_boolean(const Shape& shape, double probability, Generator& g) {
  return rand(shape, f64, g) < probability;
}

Score build_score(const AttentionCase& c, Generator& g) {
  const auto draw = [&](const Shape& shape) { return normal(shape, {.stddev = 0.7}, c.dtype, g); };
  switch (c.score) {
    case ScoreName::kScaledDot: return chance(g, 0.5) ? Score(ScaledDot{}) : Score(ScaledDot{.scale = -0.37});
    case ScoreName::kDot: return Dot{};
    case ScoreName::kGaussian: {
      const Shape shape = c.per_feature_width ? Shape{c.D} : Shape{1};
      const Tensor width = (rand(shape, f64, g) + 0.5).to(c.dtype);
      return chance(g, 0.5) ? Gaussian{.bandwidth = width} : Gaussian{.w = width};
    }
    case ScoreName::kAdditive: {
      const std::int64_t hidden = random_int(g, 1, 9);
      return Additive{draw({hidden, c.D}), draw({hidden, c.Dk}),
                      chance(g, 0.5) ? draw({hidden}) : draw({1, hidden})};
    }
  }
  return Dot{};
}

/// Word for word what the contract says: 16 bits of Philox block (j/8, i, h, b).
Tensor dropout_factors(const AttentionCase& c, std::uint64_t seed) {
  const auto threshold = static_cast<std::uint32_t>(std::lround(c.dropout * 65536));
  std::vector<double> factors;
  for (std::int64_t b = 0; b < c.B; ++b) {
    for (std::int64_t h = 0; h < c.H; ++h) {
      for (std::int64_t i = 0; i < c.Lq; ++i) {
        for (std::int64_t j = 0; j < c.Lk; ++j) {
          const auto word = [](std::int64_t x) { return static_cast<std::uint32_t>(x); };
          const PhiloxBlock block = philox({word(j / 8), word(i), word(h), word(b)}, philox_key(seed));
          const std::uint32_t pair_of_words = block[static_cast<std::size_t>(j % 8) / 2];
          const std::uint32_t bits = j % 2 == 0 ? pair_of_words & 0xFFFF : pair_of_words >> 16;
          factors.push_back(bits < threshold ? 0 : 65536.0 / (65536.0 - threshold));
        }
      }
    }
  }
  return from_vector(factors, headed_shape(c, c.H, c.Lq, c.Lk)).to(c.dtype);
}

}  // namespace

AttentionProblem build(const AttentionCase& c, Generator& g) {
  AttentionProblem p;
  p.queries = normal(headed_shape(c, c.H, c.Lq, c.D), {}, c.dtype, g);
  p.keys = normal(headed_shape(c, c.Hkv, c.Lk, c.Dk), {}, c.dtype, g);
  p.values = normal(headed_shape(c, c.Hkv, c.Lk, c.Dv), {}, c.dtype, g);
  p.options.score = build_score(c, g);
  const Shape scores = headed_shape(c, c.H, c.Lq, c.Lk);
  Tensor part = ones({c.B, c.H, c.Lq, c.Lk}, boolean);

  const Tensor i = arange(c.Lq, i64).reshape({c.Lq, 1});
  const Tensor j = arange(c.Lk, i64).reshape({1, c.Lk});
  if (c.lengths != AttentionCase::Lengths::kNone) {
    const bool per_row = c.lengths == AttentionCase::Lengths::kPerRow;
    std::vector<std::int64_t> lengths;
    for (std::int64_t n = 0; n < c.B * (per_row ? c.Lq : 1); ++n) lengths.push_back(random_int(g, 0, c.Lk));
    const Tensor lens = from_vector(lengths, per_row ? Shape{c.B, c.Lq} : Shape{c.B});
    p.options.mask = p.options.mask & valid_lens(lens);
    part = logical_and(part, j < lens.reshape({c.B, 1, per_row ? c.Lq : 1, 1}));
  }
  const std::int64_t shift = c.align == Align::kBottomRight ? c.Lk - c.Lq : 0;
  if (c.band == AttentionCase::Band::kCausal) {
    p.options.mask = p.options.mask & causal(c.align);
    part = logical_and(part, j <= i + shift);
  }
  if (c.band == AttentionCase::Band::kWindow) {
    const std::int64_t left = random_int(g, 0, 4), right = random_int(g, 0, 4);
    p.options.mask = p.options.mask & window({.left = left, .right = right, .align = c.align});
    part = logical_and(part, logical_and(j <= i + (shift + right), j >= i + (shift - left)));
  }
  part = part.reshape(scores);
  if (c.boolean_mask) {
    const Tensor allowed =
        chance(g, 0.5) ? random_boolean(scores, 0.7, g) : random_boolean({c.Lq, c.Lk}, 0.7, g);
    p.options.mask = p.options.mask & mask(allowed);
    part = logical_and(part, allowed);
  }
  if (c.bias != AttentionCase::Bias::kNone) {
    const Shape broadcast = c.rank == 2   ? Shape{1, c.Lk}
                            : c.rank == 3 ? Shape{1, c.Lq, c.Lk}
                                          : Shape{c.H, 1, c.Lk};
    Tensor bias = normal(c.bias == AttentionCase::Bias::kBroadcast ? broadcast : scores, {}, c.dtype, g);
    if (c.bias == AttentionCase::Bias::kWithMinusInf) {
      const Tensor open = random_boolean(scores, 0.8, g);
      bias = where(open, bias, full({}, -std::numeric_limits<double>::infinity(), c.dtype));
      part = logical_and(part, open);
    }
    p.options.bias = bias;
  }
  p.takes_part = part;
  if (c.softcap) p.options.softcap = 1.3;
  p.options.dropout = c.dropout;
  p.dropout_generator = Generator(g.next());
  if (c.dropout > 0) p.dropout_factors = dropout_factors(c, Generator(p.dropout_generator).next());
  return p;
}

std::vector<Tensor> AttentionProblem::differentiable() const {
  std::vector<Tensor> tensors = {queries, keys, values};
  if (options.bias.defined()) tensors.push_back(options.bias);
  if (const auto* gaussian = std::get_if<Gaussian>(&options.score)) {
    tensors.push_back(gaussian->bandwidth.given() ? gaussian->bandwidth.tensor() : gaussian->w.tensor());
  }
  if (const auto* additive = std::get_if<Additive>(&options.score)) {
    tensors.insert(tensors.end(), {additive->W_q, additive->W_k, additive->w_v});
  }
  return tensors;
}

namespace {

AttendOptions with_generator(const AttendOptions& options, Generator& generator) {
  AttendOptions result = options;
  result.generator = &generator;
  return result;
}

}  // namespace

Tensor AttentionProblem::attend() const {
  Generator generator = dropout_generator;
  return heed::attend(queries, keys, values, with_generator(options, generator));
}

AttendResult AttentionProblem::attend_with_weights() const {
  Generator generator = dropout_generator;
  return heed::attend_with_weights(queries, keys, values, with_generator(options, generator));
}

namespace {

/// Keys or values with each head repeated for the query heads that share it.
Tensor repeated(const Tensor& x, const Tensor& queries) {
  if (x.rank() < 4 || x.size(1) == queries.size(1)) return x;
  return repeat_interleave(x, queries.size(1) / x.size(1), 1);
}

Tensor dense_scores(const AttentionProblem& p, const Tensor& keys) {
  const Tensor& q = p.queries;
  if (const auto* scaled = std::get_if<ScaledDot>(&p.options.score)) {
    const double width = static_cast<double>(q.size(-1));
    return matmul(q, keys.transpose(-2, -1)) * scaled->scale.value_or(width > 0 ? 1 / std::sqrt(width) : 1);
  }
  if (std::holds_alternative<Dot>(p.options.score)) return matmul(q, keys.transpose(-2, -1));
  if (const auto* gaussian = std::get_if<Gaussian>(&p.options.score)) {
    const Tensor difference = q.unsqueeze(-2) - keys.unsqueeze(-3);
    const Tensor u =
        gaussian->w.given() ? difference * gaussian->w.tensor() : difference / gaussian->bandwidth.tensor();
    return sum(u * u, -1) * -0.5;
  }
  const auto& additive = std::get<Additive>(p.options.score);
  const Tensor a = matmul(q, additive.W_q.transpose(0, 1)), b = matmul(keys, additive.W_k.transpose(0, 1));
  return sum(tanh(a.unsqueeze(-2) + b.unsqueeze(-3)) * additive.w_v.reshape({additive.w_v.numel()}), -1);
}

}  // namespace

Tensor composition(const AttentionProblem& p, Tensor* weights) {
  Tensor scores = dense_scores(p, repeated(p.keys, p.queries));
  if (p.options.softcap) scores = tanh(scores / *p.options.softcap) * *p.options.softcap;
  if (p.options.bias.defined()) scores = scores + p.options.bias;
  Tensor pooled = masked_softmax_where(scores, p.takes_part);
  if (weights) *weights = pooled;
  if (p.dropout_factors.defined()) pooled = pooled * p.dropout_factors;
  return matmul(pooled, repeated(p.values, p.queries));
}

}  // namespace heed::test
